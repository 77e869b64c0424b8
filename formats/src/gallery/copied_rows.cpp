// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/distributions.hpp>
#include <gallery/limits.hpp>
#include <gallery/row_lists.hpp>
#include <gallery/row_random.hpp>
#include <gallery/sizes.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// Rows that have most of their columns from other rows.

namespace heddle
{

namespace
{

using impl::add;
using impl::add_distinct;
using impl::Columns;
using impl::DrawnGroup;
using impl::GallerySize;
using impl::GalleryStream;
using impl::LogUniform;
using impl::RowRandom;

// The first page of each host, and the end of the last.
std::vector<std::int64_t> host_starts(std::int64_t n, std::uint64_t seed)
{
  RowRandom random(seed, GalleryStream::groups, 0);
  LogUniform const pages(32, 1024);
  std::vector<std::int64_t> starts{0};
  while (starts.back() < n)
    starts.push_back(std::min(n, starts.back() + pages(random)));
  return starts;
}

// Copies links of one of the last seven pages (the window of the WebGraph framework, Boldi and
// Vigna, WWW 2004), then draws new ones: three of four within the host, the others anywhere, low
// numbers more often.
class WebPages
{
public:
  WebPages(std::int64_t n, std::int64_t mean, std::int64_t percent, std::uint64_t seed)
      : m_n(n)
      , m_mean(mean)
      , m_percent(percent)
      , m_seed(seed)
      , m_popular(1, n)
  {}

  void draw_host(std::int64_t first, std::int64_t end, DrawnGroup& host) const
  {
    for (std::int64_t page = first; page < end; ++page)
    {
      RowRandom random(m_seed, GalleryStream::columns, page);
      std::int64_t const length = std::min(random.between(1, 2 * m_mean - 1), m_n);
      std::size_t const begin = host.row_start();
      if (page > first)
        copy_links(random, length,
                   static_cast<std::size_t>(std::min<std::int64_t>(7, page - first)), host);
      for (int round = 0; round < 4; ++round)
      {
        for (auto k = static_cast<std::int64_t>(host.columns.size() - begin); k < length; ++k)
          add(host.columns,
              random.chance(75) ? first + random.below(end - first) : m_popular(random) - 1);
        auto const row = host.columns.begin() + static_cast<std::ptrdiff_t>(begin);
        std::sort(row, host.columns.end());
        host.columns.erase(std::unique(row, host.columns.end()), host.columns.end());
      }
      host.end_row();
    }
  }

private:
  void copy_links(RowRandom& random, std::int64_t length, std::size_t window,
                  DrawnGroup& host) const
  {
    std::size_t const row =
        host.ends.size() - 1 -
        static_cast<std::size_t>(random.below(static_cast<std::int64_t>(window)));
    std::size_t const begin = host.row_start();
    for (std::size_t k = row == 0 ? 0 : host.ends[row - 1]; k < host.ends[row]; ++k)
      if (random.chance(m_percent) && std::cmp_less(host.columns.size() - begin, length))
        add(host.columns, host.columns[k]);
  }

  std::int64_t m_n, m_mean, m_percent;
  std::uint64_t m_seed;
  LogUniform m_popular;
};

} // namespace

GallerySize impl::web_size(std::int64_t n, std::int64_t mean, std::int64_t percent)
{
  require_between("generate::web", "n", n, 1);
  require_between("generate::web", "mean", mean, 1, n);
  require_between("generate::web", "percent", percent, 0, 100);
  return {n, n, n * mean, drawn_bytes(n * mean)};
}

GallerySize impl::clones_size(std::int64_t n, std::int64_t group, std::int64_t per_row,
                              std::int64_t percent)
{
  constexpr char const* function = "generate::clones";
  require_between(function, "n", n, 1);
  require_between(function, "group", group, 1, n);
  require_between(function, "per_row", per_row, 0, n);
  require_between(function, "percent", percent, 0, 100);
  std::int64_t const entries = n * per_row / 100 * percent;
  return {n, n, entries, drawn_bytes(entries)};
}

namespace generate
{

GalleryMatrix web(std::int64_t n, std::int64_t mean, std::int64_t percent, std::uint64_t seed)
try
{
  impl::require_size("generate::web", impl::web_size(n, mean, percent));
  std::vector<std::int64_t> const starts = host_starts(n, seed);
  WebPages const pages(n, mean, percent, seed);
  auto const hosts = static_cast<std::int64_t>(starts.size()) - 1;
  auto const lists = impl::draw_groups(n, n, hosts, [&](std::int64_t host, DrawnGroup& group) {
    auto const h = static_cast<std::size_t>(host);
    pages.draw_host(starts[h], starts[h + 1], group);
  });
  return impl::with_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("web");
}

GalleryMatrix clones(std::int64_t n, std::int64_t group, std::int64_t per_row, std::int64_t percent,
                     std::uint64_t seed)
try
{
  impl::require_size("generate::clones", impl::clones_size(n, group, per_row, percent));
  std::int64_t const groups = (n + group - 1) / group;
  auto const lists = impl::draw_groups(n, n, groups, [=](std::int64_t g, DrawnGroup& rows) {
    RowRandom of_group(seed, GalleryStream::groups, g);
    Columns shared;
    add_distinct(of_group, 0, n, per_row, shared);
    for (std::int64_t i = g * group; i < std::min(n, (g + 1) * group); ++i)
    {
      RowRandom random(seed, GalleryStream::columns, i);
      for (std::int32_t const column : shared)
        if (random.chance(percent))
          rows.columns.push_back(column);
      rows.end_row();
    }
  });
  return impl::with_values(lists, seed);
}
catch (...)
{
  impl::rethrow_out_of_memory("clones");
}

} // namespace generate

} // namespace heddle
