// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Distributed matrices and vectors with whole numbers in them: their products are exact whatever
// the order of the sums, so heddle's and Tpetra's must be the same bits.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <Teuchos_RCP.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MultiVector.hpp>
#include <type_traits>
#include <vector>

namespace heddle::test
{

using Map = Tpetra::Map<>;
template <class Scalar>
using CrsOf = Tpetra::CrsMatrix<Scalar>;
using Crs = CrsOf<double>;
using Vectors = Tpetra::MultiVector<double>;
using Global = Map::global_ordinal_type;
using MapPointer = Teuchos::RCP<Map const>;
using CrsPointer = Teuchos::RCP<Crs>;

inline auto communicator() { return Tpetra::getDefaultComm(); }
inline int num_ranks() { return communicator()->getSize(); }
inline int my_rank() { return communicator()->getRank(); }

// Numbers 0 .. n - 1 in equal pieces.
inline MapPointer in_pieces(Global n) { return Teuchos::rcp(new Map(n, 0, communicator())); }
// On each rank those that owner gives it, in descending order: columns and vectors are then
// numbered differently.
inline MapPointer as_owned(Global n, std::function<int(Global)> const& owner)
{
  std::vector<Global> mine;
  for (Global i = n - 1; i >= 0; --i)
    if (owner(i) == my_rank())
      mine.push_back(i);
  return Teuchos::rcp(new Map(n, mine.data(), static_cast<int>(mine.size()), 0, communicator()));
}
inline MapPointer by_turns(Global n)
{
  return as_owned(n, [](Global i) { return static_cast<int>(i % num_ranks()); });
}
inline MapPointer on_last_rank(Global n)
{
  return as_owned(n, [](Global) { return num_ranks() - 1; });
}
inline MapPointer on_every_rank(Global n)
{
  return Teuchos::rcp(new Map(n, 0, communicator(), Tpetra::LocallyReplicated));
}

using Row = std::map<Global, double>;
using Rows = std::function<Row(Global)>;

// A whole number of the type for each real one; complex ones point elsewhere in each column.
template <class Scalar>
Scalar whole_number(double value, Global column)
{
  if constexpr (std::is_same_v<Scalar, double>)
    return value;
  else
    return {value, static_cast<double>(column % 5 - 2)};
}

template <class Scalar = double>
Teuchos::RCP<CrsOf<Scalar>> make_matrix(MapPointer const& rows, MapPointer const& domain,
                                        MapPointer const& range, Rows const& row)
{
  std::size_t longest = 0;
  for (std::size_t local = 0; local < rows->getLocalNumElements(); ++local)
    longest = std::max(longest, row(rows->getGlobalElement(static_cast<int>(local))).size());
  auto const a = Teuchos::rcp(new CrsOf<Scalar>(rows, longest));
  for (std::size_t local = 0; local < rows->getLocalNumElements(); ++local)
  {
    Global const i = rows->getGlobalElement(static_cast<int>(local));
    for (auto const& [column, value] : row(i))
    {
      auto const scalar = whole_number<Scalar>(value, column);
      a->insertGlobalValues(i, 1, &scalar, &column);
    }
  }
  a->fillComplete(domain, range);
  return a;
}

// Neighbours in a grid of width x width.
inline Row laplacian_row(Global width, Global i)
{
  Row row{{i, 4.0}};
  Global const x = i % width, y = i / width;
  if (x > 0)
    row[i - 1] = -1;
  if (x + 1 < width)
    row[i + 1] = -1;
  if (y > 0)
    row[i - width] = -1;
  if (y + 1 < width)
    row[i + width] = -1;
  return row;
}
template <class Scalar = double>
Teuchos::RCP<CrsOf<Scalar>> laplacian(MapPointer const& map, Global width)
{
  return make_matrix<Scalar>(map, map, map, [=](Global i) { return laplacian_row(width, i); });
}
// The same without some columns: the column Map then has the others in places of their own.
inline Row laplacian_row_with_gaps(Global width, Global i)
{
  Row row = laplacian_row(width, i);
  std::erase_if(row, [](auto const& entry) { return entry.first % 7 == 3; });
  return row;
}
// Up to seven entries anywhere in the row; every fifth row is empty.
inline Row scattered_row(Global columns, Global i)
{
  Row row;
  if (i % 5 != 2)
    for (Global k = 0; k <= i % 7; ++k)
      row[(i * 31 + k * k * 17 + 3) % columns] = static_cast<double>((i + 3 * k) % 9 - 4);
  return row;
}

template <class Scalar>
struct Problem
{
  std::string name;
  Teuchos::RCP<CrsOf<Scalar>> a;
};
template <class Scalar = double>
std::vector<Problem<Scalar>> problems()
{
  auto const make_matrix = [](auto const&... arguments) {
    return test::make_matrix<Scalar>(arguments...);
  };
  Global const width = 12, n = width * width, wide = 61;
  Rows const scattered = [](Global i) { return scattered_row(wide, i); };
  Global const long_width = 80; // a tenth of the rows of four ranks need others' columns
  MapPointer const many = in_pieces(long_width * long_width);
  Rows const gaps = [](Global i) { return laplacian_row_with_gaps(long_width, i); };
  return {{"Laplacian, pieces", laplacian<Scalar>(in_pieces(n), width)},
          {"Laplacian, few boundary rows", laplacian<Scalar>(many, long_width)},
          {"Laplacian, few boundary rows, columns in another order",
           make_matrix(many, many, many, gaps)},
          {"Laplacian, by turns", laplacian<Scalar>(by_turns(n), width)},
          {"Laplacian, all on one rank", laplacian<Scalar>(on_last_rank(n), width)},
          {"scattered", make_matrix(in_pieces(50), in_pieces(wide), in_pieces(50), scattered)},
          {"scattered, other order of columns",
           make_matrix(in_pieces(50), by_turns(wide), in_pieces(50), scattered)},
          {"scattered, rows are exported",
           make_matrix(by_turns(50), in_pieces(wide), in_pieces(50), scattered)},
          {"scattered, every rank has x",
           make_matrix(in_pieces(50), on_every_rank(wide), in_pieces(50), scattered)},
          {"scattered, every rank has y",
           make_matrix(in_pieces(50), in_pieces(wide), on_every_rank(50), scattered)},
          {"no entries",
           make_matrix(in_pieces(9), in_pieces(5), in_pieces(9), [](Global) { return Row(); })}};
}

// Whole numbers that depend on the global row, the same wherever it is.
template <class Scalar>
void fill(Tpetra::MultiVector<Scalar>& x, int seed)
{
  auto const view = x.getLocalViewHost(Tpetra::Access::OverwriteAll);
  for (std::size_t i = 0; i < view.extent(0); ++i)
    for (std::size_t j = 0; j < view.extent(1); ++j)
    {
      auto const row = static_cast<long>(x.getMap()->getGlobalElement(static_cast<int>(i)));
      view(i, j) = whole_number<Scalar>(
          static_cast<double>((row * 13 + static_cast<long>(j) * 5 + seed) % 17 - 8), row);
    }
}

// Entries that differ; those that are not numbers do.
template <class Scalar>
std::size_t differences(Tpetra::MultiVector<Scalar> const& y,
                        Tpetra::MultiVector<Scalar> const& expected)
{
  Tpetra::MultiVector<Scalar> const own(
      y, Teuchos::Copy); // chosen columns of others are seen with all of these
  auto const a = own.getLocalViewHost(Tpetra::Access::ReadOnly);
  auto const b = expected.getLocalViewHost(Tpetra::Access::ReadOnly);
  std::size_t count = 0;
  for (std::size_t i = 0; i < b.extent(0); ++i)
    for (std::size_t j = 0; j < b.extent(1); ++j)
      count += a(i, j) == b(i, j) ? 0 : 1;
  return count;
}

} // namespace heddle::test
