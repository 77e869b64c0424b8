// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/load.hpp>
#include <harness/nearest.hpp>
#include <heddle/binary_csr.hpp>
#include <heddle/error.hpp>
#include <heddle/impl/require.hpp>
#include <heddle/matrix_market.hpp>
#include <heddle/zoo.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include <zoo/list.hpp>
#include <zoo/settings.hpp>
#include <zoo/split.hpp>

namespace heddle::perf
{

namespace
{

constexpr int large_number = 100;

ZooEntry generated(ZooSplit const& split, int number)
{
  ZooMatrix const matrix =
      zoo_matrix("zoo_" + std::string(split.family) + "_" + std::to_string(number));
  return {matrix.name, matrix.family,  split.part,      matrix.rows,
          matrix.cols, matrix.entries, matrix.is_exact, matrix.stands_for};
}

bool is_matrix_file(std::filesystem::path const& path)
{
  return path.extension() == ".bin" || path.extension() == ".mtx" ||
         (path.extension() == ".gz" && path.stem().extension() == ".mtx");
}

ZooEntry from_file(std::string const& path)
{
  check_matrix_file(path);
  ZooEntry entry{matrix_name(path), real_family, ZooPart::tuning, 0, 0, 0, true, path};
  entry.part = part_of_real(entry.name);
  if (std::filesystem::path(path).extension() == ".bin")
  {
    BinaryCsrHeader const header = read_binary_csr_header(path);
    entry.rows = header.rows, entry.cols = header.cols, entry.entries = header.entries;
    return entry;
  }
  MatrixMarketHeader const header = read_matrix_market_header(path);
  // Of a symmetric matrix about half of the entries are stored.
  entry.is_exact = header.symmetry == MatrixMarketSymmetry::general &&
                   header.format == MatrixMarketFormat::coordinate;
  entry.rows = header.rows, entry.cols = header.cols;
  entry.entries = header.entries * (header.symmetry == MatrixMarketSymmetry::general ? 1 : 2);
  return entry;
}

std::vector<std::string> family_names()
{
  std::vector<std::string> names;
  for (ZooSplit const& split : zoo_split())
    names.emplace_back(split.family);
  names.emplace_back(real_family);
  return names;
}

} // namespace

std::vector<ZooEntry> generated_zoo()
{
  std::vector<ZooEntry> list;
  for (ZooSplit const& split : zoo_split())
  {
    for (int number = 1; number <= split.count; ++number)
      list.push_back(generated(split, number));
    if (split.has_large)
      list.push_back(generated(split, large_number));
  }
  return list;
}

std::vector<ZooEntry> real_zoo(std::string const& folder)
{
  std::error_code problem;
  std::vector<ZooEntry> list;
  for (auto const& file : std::filesystem::directory_iterator(folder, problem))
    if (is_matrix_file(file.path()))
      list.push_back(from_file(file.path().string()));
  if (problem)
    throw FileError(folder + ": cannot be read: " + problem.message());
  if (list.empty())
    throw FileError(folder + ": the folder has no .mtx, .mtx.gz or .bin file");
  std::ranges::sort(list, {}, &ZooEntry::name);
  auto const twice = std::ranges::adjacent_find(list, {}, &ZooEntry::name);
  if (twice != list.end())
    throw FileError(folder + ": two files are called " + twice->name);
  return list;
}

std::vector<ZooEntry> chosen_zoo(ZooSettings const& settings)
{
  require_known("family", settings.families, family_names());
  impl::require(!settings.real.empty() || !contains(settings.families, real_family), "perf",
                "the family real needs --real DIR");
  std::vector<ZooEntry> all = generated_zoo(), chosen;
  if (!settings.real.empty())
    std::ranges::move(real_zoo(settings.real), std::back_inserter(all));
  std::ranges::copy_if(all, std::back_inserter(chosen), [&](ZooEntry const& entry) {
    return (settings.part.empty() || settings.part == to_string(entry.part)) &&
           (settings.families.empty() || contains(settings.families, entry.family)) &&
           settings.entries.has(entry.entries);
  });
  impl::require(!chosen.empty(), "perf", "none of the ", all.size(),
                " matrices of the zoo is of this part, family and number of entries");
  return chosen;
}

} // namespace heddle::perf
