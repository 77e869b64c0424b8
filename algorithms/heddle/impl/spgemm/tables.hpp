// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Hash tables for the rows of C on any Kokkos backend: a team takes a row; a small table lies in
// the team's scratch, a large one in memory, of which as many rows have one at a time as a limit
// allows (batches of consecutive rows).

#include <heddle/impl/divided_up.hpp>
#include <heddle/impl/on_host.hpp>
#include <heddle/impl/operands.hpp>
#include <heddle/impl/range.hpp>
#include <heddle/impl/scan.hpp>
#include <heddle/impl/scratch.hpp>
#include <heddle/impl/spgemm/batches.hpp>
#include <heddle/impl/views.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace heddle::impl
{

// Slots for so many keys: a power of two, at most half of it used.
KOKKOS_INLINE_FUNCTION std::int64_t slots_for(std::int64_t keys)
{
  std::int64_t slots = keys > 0 ? 2 : 0;
  while (slots < 2 * keys)
    slots *= 2;
  return slots;
}

// Linear probing; slots hold keys or numbers, -1 where empty. No more than half of them are taken.
template <class Ordinal>
struct HashTable
{
  Ordinal* slots;
  std::int64_t size; // a power of two

  KOKKOS_FUNCTION std::int64_t first(Ordinal key) const
  {
    // Multiplicative hashing by 2^64 over the golden ratio (Knuth, vol. 3, 6.4); the high half is
    // well mixed.
    return static_cast<std::int64_t>((static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15ULL) >>
                                     32) &
           (size - 1);
  }
  KOKKOS_FUNCTION std::int64_t next(std::int64_t slot) const { return (slot + 1) & (size - 1); }

  // Whether key was not there yet. Safe from all threads of a team at once.
  KOKKOS_FUNCTION bool insert(Ordinal key) const
  {
    for (std::int64_t slot = first(key);; slot = next(slot))
    {
      Ordinal seen = Kokkos::atomic_load(&slots[slot]);
      if (seen == Ordinal(-1))
        seen = Kokkos::atomic_compare_exchange(&slots[slot], Ordinal(-1), key);
      if (seen == Ordinal(-1))
        return true;
      if (seen == key)
        return false;
    }
  }
  // Notes number for key, which nobody else inserts.
  KOKKOS_FUNCTION void note(Ordinal key, Ordinal number) const
  {
    std::int64_t slot = first(key);
    while (Kokkos::atomic_compare_exchange(&slots[slot], Ordinal(-1), number) != Ordinal(-1))
      slot = next(slot);
  }
  // The number noted for key, where key_of gives the key of a number; -1 where key was not noted.
  template <class KeyOf>
  KOKKOS_FUNCTION Ordinal find(Ordinal key, KeyOf const& key_of) const
  {
    std::int64_t slot = first(key);
    while (slots[slot] != Ordinal(-1) && key_of(slots[slot]) != key)
      slot = next(slot);
    return slots[slot];
  }
};

// Up to here a table lies in a team's scratch: 8 or 16 KB, which every device has.
inline constexpr std::int64_t small_slots = 2048;

template <class Slots>
struct LargeSlots
{
  Slots slots;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const
  {
    std::int64_t const n = slots(i);
    return n > small_slots ? n : 0;
  }
};

// Where the table of row i is, if it is a small one.
template <class Ordinal, class Slots>
struct SmallTables
{
  Slots slots;
  KOKKOS_FUNCTION HashTable<Ordinal> operator()(void* scratch, std::int64_t i) const
  {
    std::int64_t const n = slots(i);
    return {static_cast<Ordinal*>(scratch), n <= small_slots ? n : 0};
  }
};

// Where the table of row i is in the memory of a batch, if it is a large one.
template <class Ordinal, class Slots, class Starts>
struct LargeTables
{
  LargeSlots<Slots> slots;
  Starts starts;
  std::int64_t first_row; // of the batch
  Ordinal* memory;
  KOKKOS_FUNCTION HashTable<Ordinal> operator()(void*, std::int64_t i) const
  {
    return {memory + (starts(i) - starts(first_row)), slots(i)};
  }
};

// What run_on_tables does with the rows of one team: a functor, see scan.hpp.
template <class Table, class Body>
struct RowsOnTables
{
  std::int64_t first, last, per_team;
  Table table_of;
  Body body;
  int scratch_bytes;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const
  {
    void* const scratch =
        scratch_bytes > 0 ? team.team_scratch(0).get_shmem(scratch_bytes) : nullptr;
    std::int64_t const from = first + team.league_rank() * per_team;
    for (std::int64_t i = from; i < Kokkos::min(from + per_team, last); ++i)
    {
      auto const table = table_of(scratch, i);
      if (table.size == 0)
        continue;
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, table.size),
                           [&](std::int64_t n) { table.slots[n] = -1; });
      team.team_barrier();
      body(team, i, table);
    }
  }
};

// table_of(scratch, i) gives the table of row i, without slots where another launch has the row;
// body(team, i, table) runs with the table cleared.
template <class Exec, class Table, class Body>
void run_on_tables(Exec const& exec, char const* label, int lanes, std::int64_t first,
                   std::int64_t last, Table const& table_of, Body const& body, int scratch_bytes)
{
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::IndexType<std::int64_t>>;
  if (first == last)
    return;
  // One team per row; hosts and more rows than a league holds: several rows per team.
  std::int64_t const per_team = is_host_v<Exec> ? 64 : 1 + (last - first) / (std::int64_t(1) << 30);
  std::int64_t const teams = divided_up(last - first, per_team);
  Policy policy(exec, static_cast<int>(teams), is_host_v<Exec> ? 1 : 128 / lanes, lanes);
  policy.set_scratch_size(0, Kokkos::PerTeam(scratch_bytes));
  Kokkos::parallel_for(
      label, policy,
      RowsOnTables<Table, Body>{first, last, per_team, table_of, body, scratch_bytes});
}

template <class Exec, class Ordinal>
class RowTables
{
public:
  RowTables() = default;
  // For rows whose tables have slots(i) slots. Tables of large rows never take more than max_bytes
  // together (OutOfMemory if one does), and no more than keeps a device busy. Waits for exec.
  template <class Slots>
  RowTables(Exec const& exec, std::int64_t rows, Slots const& slots, std::size_t max_bytes)
      : m_rows(rows)
  {
    // A View that is made in vain would wait for every instance when it is freed.
    auto const count = static_cast<std::size_t>(rows) + 1;
    Scratch<std::int64_t, Exec> const starts(exec, count);
    std::int64_t const total =
        offsets_from_counts(exec, rows, LargeSlots<Slots>{slots}, starts.view());
    if (total == 0)
      return;
    m_starts = uninitialized<Starts>(exec, "heddle::spgemm::tables", count);
    Kokkos::deep_copy(exec, m_starts, starts.view());
    constexpr std::size_t usual_bytes = std::size_t(1) << 28;
    m_batches =
        cut_batches(copied_to_host(exec, m_starts), {sizeof(Ordinal), max_bytes, usual_bytes},
                    "a table", [](std::int64_t i) { return i; });
  }

  std::size_t bytes() const { return m_starts.span() * sizeof(std::int64_t) + m_batches.bytes(); }
  // Of the tables that exist at one time.
  std::size_t workspace_bytes() const
  {
    return static_cast<std::size_t>(m_batches.largest()) * sizeof(Ordinal);
  }

  // body(team, i, table) for every row whose table has slots, table cleared; body ends with a
  // barrier of its team.
  template <class Slots, class Body>
  void run(Exec const& exec, char const* label, int lanes, Slots const& slots,
           Body const& body) const
  {
    run_on_tables(exec, label, lanes, 0, m_rows, SmallTables<Ordinal, Slots>{slots}, body,
                  static_cast<int>(small_slots * sizeof(Ordinal)));
    Scratch<Ordinal, Exec> const memory(exec, static_cast<std::size_t>(m_batches.largest()));
    auto const& cuts = m_batches.cuts;
    for (std::size_t n = 0; n < m_batches.count(); ++n)
      run_on_tables(exec, label, lanes, cuts[n], cuts[n + 1],
                    LargeTables<Ordinal, Slots, Starts>{LargeSlots<Slots>{slots}, m_starts, cuts[n],
                                                        memory.data()},
                    body, 0);
  }

private:
  using Starts = Kokkos::View<std::int64_t*, typename Exec::memory_space>;

  std::int64_t m_rows = 0;
  Starts m_starts; // of the tables of large rows, as if all existed at once
  Batches m_batches;
};

} // namespace heddle::impl
