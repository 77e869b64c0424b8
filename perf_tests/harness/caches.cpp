// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/caches.hpp>
#include <harness/stopwatch.hpp>
#include <harness/types.hpp>
#include <heddle/impl/operands.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::perf
{

namespace
{

using Word = std::uint32_t;
using Words = Kokkos::View<Word*, Space>;
using Teams = Kokkos::TeamPolicy<Exec>;
constexpr Effort effort{5, 0.3, 1};
// Read by each team in one measurement, at least: milliseconds.
constexpr std::int64_t words_of_a_team = std::int64_t(1) << 24;
// A quarter of what a multiprocessor runs at once.
constexpr int threads_of_a_team = impl::is_host_v<Exec> ? 1 : 512;

std::int64_t number_of_teams() { return std::max(1, Exec{}.concurrency() / threads_of_a_team); }

// Results that do not wait for each other: on hosts as many as fill vector registers, on GPUs other
// warps fill the pipeline.
constexpr int chains = impl::is_host_v<Exec> ? 32 : 4;
// What a team reads at once; regions are multiples of it.
constexpr std::int64_t step_of_a_team = std::int64_t(chains) * threads_of_a_team;

// What one thread of a team makes of the words that it reads, neighbours by neighbouring threads.
// GPUs have one instruction for both operations: half as many as they have lanes for integers load
// a word from shared memory, so that two instructions a word would take as long as the load. Each
// round has another salt, so that none can be left out.
template <int count>
class Reader
{
public:
  KOKKOS_FUNCTION void read(Word const* data, std::int64_t begin, std::int64_t end, int rank,
                            Word salt)
  {
    constexpr std::int64_t step = std::int64_t(count) * threads_of_a_team;
    for (std::int64_t i = begin + rank; i < end; i += step)
      for (int c = 0; c < count; ++c)
        m_mixed[c] = (m_mixed[c] ^ data[i + std::int64_t(c) * threads_of_a_team]) | salt;
  }
  KOKKOS_FUNCTION Word result() const
  {
    Word sum = 0;
    for (int c = 0; c < count; ++c)
      sum += m_mixed[c];
    return sum;
  }

private:
  Kokkos::Array<Word, count> m_mixed{};
};

void read_region(Words const& region, std::int64_t words, std::int64_t rounds, Words const& out)
{
  std::int64_t const teams = number_of_teams();
  Kokkos::parallel_for(
      "heddle::caches::read", Teams(Exec{}, static_cast<int>(teams), threads_of_a_team),
      KOKKOS_LAMBDA(Teams::member_type const& team) {
        std::int64_t const start =
            words / teams * team.league_rank() / step_of_a_team * step_of_a_team;
        Word const* const data = region.data();
        int const rank = team.team_rank();
        Reader<chains> reader;
        for (std::int64_t round = 0; round < rounds; ++round)
        {
          auto const salt = static_cast<Word>(round);
          reader.read(data, start, words, rank, salt);
          reader.read(data, 0, start, rank, salt);
        }
        out(team.league_rank() * threads_of_a_team + rank) = reader.result();
      });
}

// What a team reads in one round: at once, so that little else is done beside it.
constexpr int shared_chains = 16;
constexpr int shared_words = shared_chains * threads_of_a_team;
// Rounds begin at other words, a multiple of the banks apart: a compiler could keep the same in
// registers.
constexpr int places = 32, banks = 32;

void read_shared(std::int64_t rounds, Words const& out)
{
  constexpr int words = shared_words + (places - 1) * banks;
  using Scratch = Kokkos::View<Word*, Exec::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  Teams policy(Exec{}, static_cast<int>(number_of_teams()), threads_of_a_team);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Scratch::shmem_size(words))));
  Kokkos::parallel_for(
      "heddle::caches::shared", policy, KOKKOS_LAMBDA(Teams::member_type const& team) {
        Scratch const own(team.team_scratch(0), words);
        int const rank = team.team_rank();
        for (int i = rank; i < words; i += threads_of_a_team)
          own(i) = static_cast<Word>(i);
        team.team_barrier();
        Word const* const data = own.data();
        Reader<shared_chains> reader;
        for (std::int64_t round = 0; round < rounds; ++round)
        {
          std::int64_t const begin = round % places * banks;
          reader.read(data, begin, begin + shared_words, rank, static_cast<Word>(round));
        }
        out(team.league_rank() * threads_of_a_team + rank) = reader.result();
      });
}

// Of all teams, in 1e9 words a second, by the fastest call: what else runs can only slow it down.
template <class Call>
double gwords_per_s(std::int64_t words, std::int64_t rounds, Call const& call)
{
  auto const read = static_cast<double>(words * rounds * number_of_teams());
  auto const times = time_calls(Exec{}, effort, call);
  return read / *std::min_element(times.begin(), times.end()) * 1e-6;
}

} // namespace

double fastest_of(std::vector<CachePoint> const& sweep)
{
  double fastest = 0;
  for (CachePoint const& point : sweep)
    fastest = std::max(fastest, point.gwords_per_s);
  return fastest;
}

std::int64_t last_cache_of(std::vector<CachePoint> const& sweep)
{
  constexpr double faster = 1.5;
  std::int64_t bytes = 0;
  for (CachePoint const& point : sweep)
    if (point.gwords_per_s > faster * sweep.back().gwords_per_s)
      bytes = point.bytes;
  return bytes;
}

void add_caches(MachineDescription& machine)
{
  constexpr std::int64_t least = 8 << 10, most = std::int64_t(1) << 29;
  std::int64_t const last =
      std::clamp<std::int64_t>(4 * machine.cache_bytes, std::int64_t(1) << 24, most);
  Words const region("heddle::perf::region", static_cast<std::size_t>(last) / sizeof(Word));
  Words const out("heddle::perf::sums",
                  static_cast<std::size_t>(number_of_teams() * threads_of_a_team));
  machine.cache_sweep.clear();
  for (std::int64_t bytes = least; bytes <= last; bytes *= 2)
  {
    std::int64_t const words = bytes / static_cast<std::int64_t>(sizeof(Word));
    std::int64_t const rounds = std::max<std::int64_t>(1, words_of_a_team / words);
    machine.cache_sweep.push_back(
        {bytes, gwords_per_s(words, rounds, [&] { read_region(region, words, rounds, out); })});
  }
  machine.l1_gwords_per_s = fastest_of(machine.cache_sweep);
  machine.swept_cache_bytes = last_cache_of(machine.cache_sweep);
  if (!impl::is_host_v<Exec>)
  {
    constexpr std::int64_t rounds = words_of_a_team / shared_words;
    machine.shared_gwords_per_s =
        gwords_per_s(shared_words, rounds, [&] { read_shared(rounds, out); });
  }
}

} // namespace heddle::perf
