// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What travels from rank to rank when one needs rows of another (exchange_rows.hpp), packed and
// unpacked on the host: rows as indices into a list of columns that grows from row to row, one list
// per pair of ranks. Of each row the indices come first, then values, then the columns that it adds
// to the list, then the ranks that own these.

#include <cstddef>
#include <cstring>
#include <unordered_map>
#include <vector>

namespace heddle::impl
{

// Rows of other ranks, in the order of the importer's remote elements: row j has the entries
// offsets[j] .. offsets[j + 1] - 1. An entry's column is global[columns[k]], which is owner's.
// global names a column once for each rank that sends it, or more often.
template <class Value, class Local, class Global>
struct RowsOfOthers
{
  std::vector<std::size_t> offsets{0};
  std::vector<Local> columns;
  std::vector<Value> values;
  std::vector<Global> global;
  std::vector<int> owner;
};

// Appends to and reads from bytes what is no longer aligned there.
class ByteWriter
{
public:
  template <class T>
  void write(T const* data, std::size_t n)
  {
    auto const* const bytes = reinterpret_cast<char const*>(data);
    m_bytes.insert(m_bytes.end(), bytes, bytes + n * sizeof(T));
  }
  std::vector<char>& bytes() { return m_bytes; }

private:
  std::vector<char> m_bytes;
};
class ByteReader
{
public:
  explicit ByteReader(char const* bytes)
      : m_bytes(bytes)
  {}
  template <class T>
  void append_to(std::vector<T>& data, std::size_t n)
  {
    std::size_t const before = data.size();
    data.resize(before + n);
    if (n > 0)
      std::memcpy(static_cast<void*>(data.data() + before), m_bytes, n * sizeof(T));
    m_bytes += n * sizeof(T);
  }

private:
  char const* m_bytes;
};

// Bytes of a row: its entries and the columns that it names first.
template <class Value, class Local, class Global>
constexpr std::size_t bytes_of_row(std::size_t entries, std::size_t named)
{
  return entries * (sizeof(Local) + sizeof(Value)) + named * (sizeof(Global) + sizeof(int));
}

// What a rank sends: for each row two sizes, entries and columns named first in it, and bytes.
template <class Local, class Global>
class RowPacker
{
public:
  // ranks: of the columns.
  RowPacker(std::vector<int> const& ranks, std::size_t rows)
      : m_ranks(ranks)
      , m_named_for(ranks.size(), -1)
      , m_index(ranks.size())
  {
    m_sizes.reserve(2 * rows);
  }

  // A row for a rank. global(c): the global number of column c.
  template <class Value, class ColumnMap>
  void add(int to, Local const* columns, Value const* values, std::size_t n, ColumnMap const& map)
  {
    Local& count = m_counts[to];
    m_row.clear();
    m_new.clear();
    m_owners.clear();
    for (std::size_t k = 0; k < n; ++k)
    {
      auto const c = static_cast<std::size_t>(columns[k]);
      if (m_named_for[c] != to)
      {
        m_named_for[c] = to;
        m_index[c] = count++;
        m_new.push_back(map.getGlobalElement(columns[k]));
        m_owners.push_back(m_ranks[c]);
      }
      m_row.push_back(m_index[c]);
    }
    m_writer.write(m_row.data(), n);
    m_writer.write(values, n);
    m_writer.write(m_new.data(), m_new.size());
    m_writer.write(m_owners.data(), m_new.size());
    m_sizes.push_back(n);
    m_sizes.push_back(m_new.size());
  }
  std::vector<std::size_t>& sizes() { return m_sizes; }
  std::vector<char>& bytes() { return m_writer.bytes(); }

private:
  std::vector<int> const& m_ranks;
  // By column: for which rank it was named last, and as what. A column that is named for another
  // rank in between is named again.
  std::vector<int> m_named_for;
  std::vector<Local> m_index;
  std::unordered_map<int, Local> m_counts;
  std::vector<Local> m_row;
  std::vector<Global> m_new;
  std::vector<int> m_owners;
  std::vector<std::size_t> m_sizes;
  ByteWriter m_writer;
};

template <class Value, class Local, class Global>
std::vector<std::size_t> bytes_of_rows(std::vector<std::size_t> const& sizes)
{
  std::vector<std::size_t> bytes(sizes.size() / 2);
  for (std::size_t j = 0; j < bytes.size(); ++j)
    bytes[j] = bytes_of_row<Value, Local, Global>(sizes[2 * j], sizes[2 * j + 1]);
  return bytes;
}

// What a rank receives, from what its sizes and bytes are. lengths: rows of each sender.
template <class Value, class Local, class Global, class Lengths>
RowsOfOthers<Value, Local, Global> unpacked_rows(std::vector<std::size_t> const& sizes,
                                                 std::vector<char> const& bytes,
                                                 Lengths const& lengths)
{
  RowsOfOthers<Value, Local, Global> rows;
  ByteReader reader(bytes.data());
  std::size_t j = 0;
  for (int p = 0; p < lengths.size(); ++p)
  {
    auto const first = static_cast<Local>(rows.global.size()); // of this sender's list
    for (std::size_t end = j + lengths[p]; j < end; ++j)
    {
      std::size_t const entries = sizes[2 * j], named = sizes[2 * j + 1], k = rows.columns.size();
      reader.append_to(rows.columns, entries);
      for (std::size_t l = k; l < rows.columns.size(); ++l)
        rows.columns[l] += first;
      reader.append_to(rows.values, entries);
      reader.append_to(rows.global, named);
      reader.append_to(rows.owner, named);
      rows.offsets.push_back(rows.columns.size());
    }
  }
  return rows;
}

} // namespace heddle::impl
