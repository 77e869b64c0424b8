// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <report/contenders.hpp>
#include <report/grouping.hpp>
#include <report/svg.hpp>

namespace heddle::perf
{

namespace
{

constexpr char const* automatic = "heddle::auto";
constexpr std::size_t most_named = 3;

struct Library
{
  char const *prefix, *name;
};
// The place is the look; 0 is that of heddle::auto.
constexpr std::array<Library, 6> known_libraries{{{"heddle", "heddle"},
                                                  {"cusparse", "cuSPARSE"},
                                                  {"kokkoskernels", "Kokkos Kernels"},
                                                  {"cublas", "cuBLAS"},
                                                  {"eigen", "Eigen"},
                                                  {"graphblas", "GraphBLAS"}}};

std::size_t place_of(std::string const& library)
{
  auto const* const found =
      std::find_if(known_libraries.begin(), known_libraries.end(),
                   [&library](Library const& known) { return library == known.prefix; });
  return static_cast<std::size_t>(found - known_libraries.begin());
}

Contender library_contender(std::string const& library, std::vector<Result> const& results)
{
  auto const series = grouped(results, series_name);
  std::size_t const place = place_of(library);
  Contender contender;
  contender.role = library == "serial" ? Role::serial : Role::baseline;
  contender.look = place;
  contender.name = series.size() == 1
                       ? series.front().first
                       : library_name(library) + ", best of " + std::to_string(series.size());
  contender.results = best_of(results);
  return contender;
}

// The named implementations that are the fastest of the named most often.
std::vector<Contender> named_contenders(std::vector<Result> const& results)
{
  std::map<std::string, int> wins;
  for (Result const& winner : best_of(results))
    ++wins[series_name(winner)];
  auto named = grouped(results, series_name);
  std::stable_sort(named.begin(), named.end(),
                   [&wins](auto const& a, auto const& b) { return wins[a.first] > wins[b.first]; });
  named.resize(std::min(named.size(), most_named));
  std::vector<Contender> contenders;
  for (auto& [name, of_name] : named)
    contenders.push_back({Role::named, name, 0, best_of(of_name)});
  return contenders;
}

// Those that have no look of their own take what is left.
void give_looks(std::vector<Contender>& contenders, std::size_t first)
{
  std::set<std::size_t> taken;
  for (std::size_t n = 0; n < first; ++n)
    taken.insert(contenders[n].look);
  for (std::size_t n = first; n < contenders.size(); ++n)
  {
    std::vector<std::size_t> wanted{5, 4, 3, 6, 7, 2, 1};
    for (std::size_t hollow = filled_looks; hollow <= filled_looks + contenders.size(); ++hollow)
      wanted.push_back(hollow);
    contenders[n].look = *std::find_if(
        wanted.begin(), wanted.end(), [&taken](std::size_t look) { return !taken.contains(look); });
    taken.insert(contenders[n].look);
  }
}

// More than two libraries that are not known become one; serial code stays apart.
std::map<std::string, std::vector<Result>> few(std::map<std::string, std::vector<Result>> libraries)
{
  constexpr std::size_t most = 2;
  auto const serial = libraries.extract("serial");
  if (libraries.size() > most)
  {
    std::vector<Result> all;
    for (auto const& [unused, results] : libraries)
      all.insert(all.end(), results.begin(), results.end());
    libraries = {{"other libraries", all}};
  }
  if (!serial.empty())
    libraries[serial.key()] = serial.mapped();
  return libraries;
}

std::vector<Contender> contenders_of_formats(std::vector<Result> const& results)
{
  std::vector<Contender> contenders;
  auto ours = filtered(results, [](Result const& r) { return r.implementation == automatic; });
  if (ours.empty()) // implementations by name only were asked for: all of them are compared
    ours =
        filtered(results, [](Result const& r) { return r.implementation.starts_with("heddle::"); });
  for (auto const& [name, of_name] : grouped(ours, series_name))
    contenders.push_back({Role::automatic, name, contenders.size(), of_name});
  auto const others = filtered(results, [](Result const& r) {
    return !r.is_serial() && !r.implementation.starts_with("heddle::");
  });
  auto const library = [](Result const& r) { return library_of(r.implementation); };
  for (auto const& [name, of_library] : grouped(others, library))
  {
    contenders.push_back(library_contender(name, of_library));
    contenders.back().look = contenders.size() - 1;
  }
  return contenders;
}

} // namespace

std::string series_name(Result const& r)
{
  // As it competes with results whose C has the layout of B, the other layout is named.
  std::string const suffix = r.layout == r.layout_c ? ""
                             : r.layout_c == "col"  ? " (C column-major)"
                                                    : " (C row-major)";
  if (!r.is_of_formats())
    return r.implementation + suffix;
  std::string const name = r.format + (r.parameters.empty() ? "" : " " + r.parameters);
  return (r.implementation == automatic ? name : name + " " + r.implementation) + suffix;
}

std::string problem_name(Result const& r)
{
  return r.k > 1 ? r.matrix + ", k = " + std::to_string(r.k) : r.matrix;
}

std::string library_of(std::string const& implementation)
{
  return implementation.substr(0, implementation.find("::"));
}

std::string library_name(std::string const& library)
{
  std::size_t const place = place_of(library);
  return place < known_libraries.size() ? known_libraries.at(place).name : library;
}

std::vector<Result> best_of(std::vector<Result> const& results)
{
  std::vector<Result> best;
  for (auto const& [unused, group] : grouped(results, problem_name))
    best.push_back(
        *std::min_element(group.begin(), group.end(), [](Result const& a, Result const& b) {
          return a.median_ms < b.median_ms;
        }));
  return best;
}

Result const* Contender::on(std::string const& problem) const
{
  auto const found = std::find_if(results.begin(), results.end(), [&problem](Result const& r) {
    return problem_name(r) == problem;
  });
  return found == results.end() ? nullptr : &*found;
}

std::vector<Contender> contenders_of(std::vector<Result> const& results)
{
  if (!results.empty() && results.front().is_of_formats())
    return contenders_of_formats(results);
  std::vector<Result> ours, named;
  std::map<std::size_t, std::vector<Result>> known;
  std::map<std::string, std::vector<Result>> unknown;
  for (Result const& r : results)
  {
    std::string const library = library_of(r.implementation);
    if (r.implementation == automatic)
      ours.push_back(r);
    else if (library == "heddle" && r.implementation != "heddle::auto_size_t")
      named.push_back(r); // but not the same kernels with other indices
    else if (library != "heddle" && place_of(library) < known_libraries.size())
      known[place_of(library)].push_back(r);
    else if (library != "heddle")
      unknown[library].push_back(r);
  }
  std::vector<Contender> contenders;
  if (!ours.empty())
    contenders.push_back({Role::automatic, automatic, 0, best_of(ours)});
  for (auto const& [place, of_library] : known)
    contenders.push_back(library_contender(known_libraries.at(place).prefix, of_library));
  std::size_t const with_looks = contenders.size();
  for (auto const& [library, of_library] : few(std::move(unknown)))
    contenders.push_back(library_contender(library, of_library));
  for (Contender& contender : named_contenders(named))
    contenders.push_back(std::move(contender));
  give_looks(contenders, with_looks);
  return contenders;
}

std::vector<std::string> not_charted(std::vector<Result> const& results)
{
  std::set<std::string> charted;
  std::vector<std::string> left_out;
  bool const is_of_formats = !results.empty() && results.front().is_of_formats();
  for (Contender const& contender : contenders_of(results))
    charted.insert(contender.name);
  for (auto const& [name, of_name] : grouped(results, series_name))
  {
    Result const& first = of_name.front();
    bool const is_ours = first.implementation.starts_with("heddle::");
    bool const is_serial_of_formats = is_of_formats && first.is_serial();
    if (is_ours && !is_serial_of_formats && !charted.contains(name))
      left_out.push_back(name);
  }
  return left_out;
}

} // namespace heddle::perf
