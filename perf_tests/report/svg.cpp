// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <report/svg.hpp>

namespace heddle::perf
{

std::string escaped(std::string const& text)
{
  std::string result;
  for (char const c : text)
    switch (c)
    {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    case '\'':
      result += "&#39;";
      break;
    default:
      result += c;
    }
  return result;
}

std::string short_number(double value)
{
  constexpr double first_long = 999.95, last_long = 1e15; // above the last, digits mean nothing
  std::ostringstream text;
  if (std::abs(value) < first_long || !(std::abs(value) < last_long))
  {
    text << std::setprecision(4) << value;
    return text.str();
  }
  text << std::fixed << std::setprecision(0) << value;
  std::string digits = text.str();
  std::size_t const sign = value < 0 ? 1 : 0;
  for (std::size_t place = digits.size(); place > 3 + sign; place -= 3)
    digits.insert(place - 3, ",");
  return digits;
}

std::string axis_number(double value)
{
  std::ostringstream text;
  text << std::setprecision(4);
  for (auto const& [unit, letter] :
       {std::pair{1e12, " T"}, std::pair{1e9, " G"}, std::pair{1e6, " M"}, std::pair{1e3, " k"}})
    if (std::abs(value) >= 10e3 * (1 - 1e-9) && std::abs(value) >= unit * (1 - 1e-9))
    {
      text << value / unit << letter;
      return text.str();
    }
  text << value;
  return text.str();
}

double text_width(std::string const& text)
{
  constexpr double of_a_letter = 6.7;
  return of_a_letter * static_cast<double>(text.size());
}

Look look_of(std::size_t number)
{
  // Blue, vermillion, bluish green, orange, reddish purple, sky blue, grey, black.
  constexpr std::array<char const*, filled_looks> colours{
      "#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#8A8A8A", "#000000"};
  constexpr std::array<char const*, filled_looks> dashes{"",    "7 3", "3 2",  "9 3 2 3",
                                                         "5 5", "2 4", "10 4", "1 2"};
  std::size_t const n = number % filled_looks;
  return {colours.at(n), n, dashes.at(n), number / filled_looks % 2 == 1};
}

namespace
{

std::string tip_of(std::string const& tip)
{
  return tip.empty() ? "" : "<title>" + escaped(tip) + "</title>";
}

std::string paint(Look const& look)
{
  if (look.is_hollow)
    return " fill='#ffffff' fill-opacity='0.6' stroke='" + look.colour + "' stroke-width='1.6'";
  return " fill='" + look.colour + "' fill-opacity='0.85' stroke='#ffffff' stroke-width='0.5'";
}

// Corners of marks about their middle, in units of their size.
std::vector<Place> corners_of(std::size_t shape)
{
  constexpr double thin = 0.42, tip = 1.35;
  switch (shape)
  {
  case 2: // up
    return {{0, -1.3}, {1.2, 1}, {-1.2, 1}};
  case 3: // diamond
    return {{0, -1.4}, {1.4, 0}, {0, 1.4}, {-1.4, 0}};
  case 4: // down
    return {{0, 1.3}, {1.2, -1}, {-1.2, -1}};
  case 5: // plus
    return {{-thin, -tip}, {thin, -tip}, {thin, -thin}, {tip, -thin},
            {tip, thin},   {thin, thin}, {thin, tip},   {-thin, tip},
            {-thin, thin}, {-tip, thin}, {-tip, -thin}, {-thin, -thin}};
  case 6: // hexagon
    return {{-0.65, -1.15}, {0.65, -1.15}, {1.3, 0}, {0.65, 1.15}, {-0.65, 1.15}, {-1.3, 0}};
  default: // cross
    return {{0, -0.6}, {0.7, -1.3}, {1.3, -0.7}, {0.6, 0},  {1.3, 0.7},   {0.7, 1.3},
            {0, 0.6},  {-0.7, 1.3}, {-1.3, 0.7}, {-0.6, 0}, {-1.3, -0.7}, {-0.7, -1.3}};
  }
}

} // namespace

Svg::Svg(double width, double height, std::string const& name)
{
  m_text.precision(6);
  m_text << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " << width << " " << height
         << "' width='" << width << "' height='" << height << "' role='img' aria-label='"
         << escaped(name) << "' font-family='sans-serif' font-size='12'>\n";
}

void Svg::line(Place const& from, Place const& to, std::string const& colour, double width)
{
  m_text << "<line x1='" << from.x << "' y1='" << from.y << "' x2='" << to.x << "' y2='" << to.y
         << "' stroke='" << colour << "' stroke-width='" << width << "'/>\n";
}

void Svg::path(std::vector<Place> const& places, Look const& look)
{
  m_text << "<polyline fill='none' stroke-width='2' stroke='" << look.colour << "'";
  if (!look.dashes.empty())
    m_text << " stroke-dasharray='" << look.dashes << "'";
  m_text << " points='";
  for (Place const& place : places)
    m_text << place.x << "," << place.y << " ";
  m_text << "'/>\n";
}

void Svg::rectangle(Place const& corner, double width, double height, Look const& look,
                    std::string const& tip)
{
  m_text << "<rect x='" << corner.x << "' y='" << corner.y << "' width='" << width << "' height='"
         << height << "'" << paint(look) << ">" << tip_of(tip) << "</rect>\n";
}

void Svg::mark(Place const& place, Look const& look, std::string const& tip, double r)
{
  auto const& [x, y] = place;
  std::string element = "polygon";
  if (look.shape == 0)
  {
    element = "circle";
    m_text << "<circle cx='" << x << "' cy='" << y << "' r='" << r << "'";
  }
  else if (look.shape == 1)
  {
    element = "rect";
    m_text << "<rect x='" << x - r << "' y='" << y - r << "' width='" << 2 * r << "' height='"
           << 2 * r << "'";
  }
  else
  {
    m_text << "<polygon points='";
    for (Place const& corner : corners_of(look.shape))
      m_text << x + r * corner.x << "," << y + r * corner.y << " ";
    m_text << "'";
  }
  m_text << paint(look) << ">" << tip_of(tip) << "</" << element << ">\n";
}

void Svg::bound(Place const& place, std::string const& tip, double half_width)
{
  constexpr double half_height = 1;
  m_text << "<rect x='" << place.x - half_width << "' y='" << place.y - half_height << "' width='"
         << 2 * half_width << "' height='" << 2 * half_height << "' fill='#000000'>" << tip_of(tip)
         << "</rect>\n";
}

void Svg::text(Place const& place, std::string const& anchor, std::string const& content,
               double turned)
{
  m_text << "<text x='" << place.x << "' y='" << place.y << "' text-anchor='" << anchor << "'";
  if (turned != 0)
    m_text << " transform='rotate(" << turned << " " << place.x << " " << place.y << ")'";
  m_text << ">" << escaped(content) << "</text>\n";
}

void Svg::title(Place const& place, std::string const& content)
{
  m_text << "<text x='" << place.x << "' y='" << place.y << "' font-size='14' font-weight='bold'>"
         << escaped(content) << "</text>\n";
}

} // namespace heddle::perf
