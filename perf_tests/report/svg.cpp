// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <iomanip>
#include <sstream>
#include <string>
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
  std::ostringstream text;
  text << std::setprecision(4) << value;
  return text.str();
}

namespace
{

std::string tip_of(std::string const& tip)
{
  return tip.empty() ? "" : "<title>" + escaped(tip) + "</title>";
}

} // namespace

Svg::Svg(double width, double height)
{
  m_text.precision(6);
  m_text << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " << width << " " << height
         << "' width='" << width << "' height='" << height
         << "' font-family='sans-serif' font-size='12'>\n";
}

void Svg::line(Place const& from, Place const& to, std::string const& colour)
{
  m_text << "<line x1='" << from.x << "' y1='" << from.y << "' x2='" << to.x << "' y2='" << to.y
         << "' stroke='" << colour << "'/>\n";
}

void Svg::path(std::vector<Place> const& places, std::string const& colour)
{
  m_text << "<polyline fill='none' stroke-width='1.8' stroke='" << colour << "' points='";
  for (Place const& place : places)
    m_text << place.x << "," << place.y << " ";
  m_text << "'/>\n";
}

void Svg::rectangle(Place const& corner, double width, double height, std::string const& colour,
                    std::string const& tip)
{
  m_text << "<rect x='" << corner.x << "' y='" << corner.y << "' width='" << width << "' height='"
         << height << "' fill='" << colour << "'>" << tip_of(tip) << "</rect>\n";
}

void Svg::mark(Place const& place, std::size_t shape, std::string const& colour,
               std::string const& tip)
{
  constexpr double r = 3.6; // pixels
  auto const& [x, y] = place;
  switch (shape % 4)
  {
  case 0:
    m_text << "<circle cx='" << x << "' cy='" << y << "' r='" << r << "'";
    break;
  case 1:
    m_text << "<rect x='" << x - r << "' y='" << y - r << "' width='" << 2 * r << "' height='"
           << 2 * r << "'";
    break;
  case 2:
    m_text << "<polygon points='" << x << "," << y - 1.3 * r << " " << x + 1.2 * r << "," << y + r
           << " " << x - 1.2 * r << "," << y + r << "'";
    break;
  default:
    m_text << "<polygon points='" << x << "," << y - 1.4 * r << " " << x + 1.4 * r << "," << y
           << " " << x << "," << y + 1.4 * r << " " << x - 1.4 * r << "," << y << "'";
  }
  m_text << " fill='" << colour << "' fill-opacity='0.8'>" << tip_of(tip)
         << (shape % 4 == 0   ? "</circle>\n"
             : shape % 4 == 1 ? "</rect>\n"
                              : "</polygon>\n");
}

void Svg::text(Place const& place, std::string const& anchor, std::string const& content,
               int turned)
{
  m_text << "<text x='" << place.x << "' y='" << place.y << "' text-anchor='" << anchor << "'";
  if (turned != 0)
    m_text << " transform='rotate(" << turned << " " << place.x << " " << place.y << ")'";
  m_text << ">" << escaped(content) << "</text>\n";
}

} // namespace heddle::perf
