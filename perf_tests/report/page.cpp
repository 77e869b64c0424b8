// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include <report/page.hpp>
#include <report/svg.hpp>
#include <report/tables.hpp>

namespace heddle::perf
{

namespace
{

constexpr char const* head =
    R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>heddle-perf</title>
<style>
body { font: 15px/1.45 sans-serif; margin: 1.5em auto; padding: 0 1em; max-width: 1290px; color: #222; }
h1 { margin-bottom: 0.3em; }
h2 { margin: 2em 0 0.4em; padding-top: 0.5em; border-top: 2px solid #0072B2; font-size: 1.35em; }
h3 { margin: 1.2em 0 0.4em; font-size: 1.05em; }
.figures { display: flex; flex-wrap: wrap; gap: 14px 20px; align-items: flex-start; }
figure { margin: 0; max-width: 100%; }
figure svg { max-width: 100%; height: auto; border: 1px solid #e2e2e2; border-radius: 4px; }
figcaption, .note { font-size: 13px; color: #555; }
figcaption { max-width: 612px; padding: 2px 4px 0; }
.scroll { overflow: auto; max-height: 34em; width: fit-content; max-width: 100%; margin: 0.5em 0; border: 1px solid #e2e2e2; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2em 0.7em; border-bottom: 1px solid #e8e8e8; text-align: right; white-space: nowrap; }
td.text, th.text { text-align: left; }
td.text:last-child { white-space: normal; }
thead th { position: sticky; top: 0; background: #f4f6f8; }
th button { all: unset; cursor: pointer; font-weight: bold; }
th button:focus-visible { outline: 2px solid #0072B2; outline-offset: 2px; }
th button::after { content: " \2195"; color: #888; }
th[aria-sort=ascending] button::after { content: " \25B2"; color: #222; }
th[aria-sort=descending] button::after { content: " \25BC"; color: #222; }
tbody tr:nth-child(even) { background: #fafafa; }
summary { cursor: pointer; margin: 0.6em 0 0.2em; }
nav ul { columns: 2; padding-left: 1.2em; font-size: 14px; }
.missing { background: #fff8e6; border-left: 4px solid #E69F00; padding: 0.3em 1em; }
.missing ul, .about { padding-left: 1.2em; margin: 0.4em 0; font-size: 14px; }
</style>
</head>
<body>
<h1>heddle-perf</h1>
)";

// Sorts by a column: numbers by size, texts by letters, empty cells last. A second press turns it
// around.
constexpr char const* script = R"(<script>
for (const table of document.querySelectorAll('table.sortable')) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  const value = (row, column) => {
    const text = row.cells[column].textContent.trim(), number = Number(text.replaceAll(',', ''));
    return text === '' ? null : Number.isNaN(number) ? text : number;
  };
  const compare = (a, b) => typeof a === 'number' && typeof b === 'number' ? a - b
    : String(a).localeCompare(String(b), 'en', { numeric: true });
  heads.forEach((head, column) => head.firstElementChild.addEventListener('click', () => {
    const sign = head.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
    heads.forEach(other => other.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', sign > 0 ? 'ascending' : 'descending');
    const rows = [...body.rows].map(row => [value(row, column), row]);
    rows.sort(([a], [b]) => a === null || b === null ? (a === null) - (b === null)
      : sign * compare(a, b));
    body.append(...rows.map(([, row]) => row));
  }));
}
</script>
)";

void add_list(std::ostringstream& page, std::string const& kind,
              std::vector<std::string> const& items)
{
  page << "<ul class='" << kind << "'>\n";
  for (std::string const& item : items)
    page << "<li>" << escaped(item) << "</li>\n";
  page << "</ul>\n";
}

void add_figures(std::ostringstream& page, std::vector<Figure> const& figures)
{
  page << "<div class='figures'>\n";
  for (Figure const& figure : figures)
    if (figure.chart)
      page << "<figure>\n"
           << std::visit([](auto const& chart) { return to_svg(chart); }, *figure.chart)
           << "<figcaption>" << escaped(figure.about) << "</figcaption>\n</figure>\n";
  page << "</div>\n";
  for (Figure const& figure : figures)
    if (!figure.chart)
      page << "<p class='note'>No chart \"" << escaped(figure.title)
           << "\": " << escaped(figure.missing) << ".</p>\n";
}

std::string details(std::string const& summary, std::string const& table)
{
  return table.empty() ? ""
                       : "<details><summary>" + summary + "</summary>\n" + table + "</details>\n";
}

void add_contents(std::ostringstream& page, Contents const& contents)
{
  page << "<nav aria-label='Sections'>\n<ul>\n";
  if (!contents.across.empty())
    page << "<li><a href='#across'>Comparisons across sections</a></li>\n";
  for (std::size_t p = 0; p < contents.parts.size(); ++p)
    page << "<li><a href='#" << anchor_of(p) << "'>" << escaped(contents.parts[p].section.title)
         << "</a></li>\n";
  page << "</ul>\n</nav>\n";
}

void add_part(std::ostringstream& page, Part const& part, std::size_t number)
{
  page << "<section>\n<h2 id='" << anchor_of(number) << "'>" << escaped(part.section.title)
       << "</h2>\n"
       << speedup_table(part);
  add_figures(page, part.figures);
  if (!part.not_charted.empty())
  {
    page << "<p class='note'>In the table only: ";
    for (std::string const& name : part.not_charted)
      page << (name == part.not_charted.front() ? "" : ", ") << escaped(name);
    page << ".</p>\n";
  }
  auto const& results = part.section.results;
  auto const skipped =
      std::count_if(results.begin(), results.end(), [](Result const& r) { return r.is_skipped(); });
  auto const ran = static_cast<std::ptrdiff_t>(results.size()) - skipped;
  page << details("Cases: " + std::to_string(ran), cases_table(part.section))
       << details("Skipped: " + std::to_string(skipped), skipped_table(part.section))
       << "</section>\n";
}

} // namespace

std::string page_of(Contents const& contents)
{
  std::ostringstream page;
  page << head;
  add_list(page, "about", contents.about);
  page << "<section class='missing'>\n<h3>What is missing, and what to mind</h3>\n";
  if (contents.missing.empty())
    page << "<p>Nothing.</p>\n";
  else
    add_list(page, "", contents.missing);
  page << "</section>\n";
  add_contents(page, contents);
  std::string const overview = overview_table(contents.parts);
  if (!overview.empty())
    page << "<h2>Speedups</h2>\n<p class='note'>Time of the other over the time of ours, on the "
            "matrices that both have. A library stands for the best of its algorithms on each "
            "matrix.</p>\n"
         << overview;
  if (!contents.across.empty())
  {
    page << "<section>\n<h2 id='across'>Comparisons across sections</h2>\n";
    add_figures(page, contents.across);
    page << "</section>\n";
  }
  for (std::size_t p = 0; p < contents.parts.size(); ++p)
    add_part(page, contents.parts[p], p);
  page << script << "</body>\n</html>\n";
  return page.str();
}

} // namespace heddle::perf
