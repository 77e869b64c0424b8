// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <heddle/impl/gallery_hash.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

#include <zoo/split.hpp>

// The split into tuning and validation. It was committed before anything was measured on these
// matrices, and must never be changed by looking at results: a family or a matrix that is moved,
// dropped or drawn again because of a time would make the validation part worthless. Families may
// be added, with their part chosen before they are measured.
//
// Whole families are on one side. Each structure on which a choice is known to collapse is on both
// sides, by families that are made differently (docs/zoo.md): what is learned from one is checked
// on the other.

namespace heddle::perf
{

namespace
{

constexpr ZooPart tuning = ZooPart::tuning, validation = ZooPart::validation;
constexpr int tuned = 5, validated = 4; // matrices of a family, besides the large ones

} // namespace

std::string_view to_string(ZooPart part)
{
  return part == ZooPart::tuning ? "tuning" : "validation";
}

std::vector<ZooSplit> const& zoo_split()
{
  static std::vector<ZooSplit> const split = {
      {"cover", tuning, tuned, false},
      {"nets", tuning, tuned, false},
      {"arrow", tuning, tuned, false},
      {"circuit", tuning, tuned, false},
      {"lognormal", tuning, tuned, false},
      {"web", tuning, tuned, true},
      {"pruned", tuning, tuned, false},
      {"lp", tuning, tuned, false},
      {"fem", tuning, tuned, true},
      {"fem_permuted", tuning, tuned, false},
      {"mesh", tuning, tuned, false},
      {"band", tuning, tuned, false},
      {"band_permuted", tuning, tuned, false},
      {"stencil3d", tuning, tuned, false},
      {"stencil3d_permuted", tuning, tuned, false},
      {"power", tuning, tuned, false},
      {"rmat", tuning, tuned, true},
      {"road", tuning, tuned, false},
      {"geometric", tuning, tuned, false},
      {"kkt", tuning, tuned, false},
      {"blocks", tuning, tuned, false},
      {"balls", tuning, tuned, false},
      {"uniform", tuning, tuned, false},
      {"scatter", tuning, tuned, false},
      {"hypersparse", tuning, tuned, false},
      {"coupled", tuning, tuned, false},

      {"fitting", validation, validated, false},
      {"netlist", validation, validated, false},
      {"bordered", validation, validated, false},
      {"power_grid", validation, validated, false},
      {"two_lengths", validation, validated, false},
      {"clones", validation, validated, false},
      {"channels", validation, validated, false},
      {"staircase", validation, validated, false},
      {"tets", validation, validated, true},
      {"shell", validation, validated, false},
      {"diagonals", validation, validated, true},
      {"stencil2d", validation, validated, false},
      {"scale_free", validation, validated, true},
      {"small_world", validation, validated, false},
      {"incidence", validation, validated, false},
      {"power_flow", validation, validated, false},
      {"terms", validation, validated, false},
      {"supernodes", validation, validated, false},
      {"time_steps", validation, validated, false},
      {"chain", validation, validated, false},
      {"radix", validation, validated, false},
      {"simplices", validation, validated, false},
  };
  return split;
}

// FNV-1a (Fowler, Noll and Vo) of the name, mixed because its low bit is that of a sum of letters.
ZooPart part_of_real(std::string_view name)
{
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (char const letter : name)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
  return impl::mix64(hash) % 2 == 1 ? validation : tuning;
}

} // namespace heddle::perf
