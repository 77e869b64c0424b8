// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace heddle::perf
{

// Text as HTML and SVG may have it: &, <, > and quotes escaped.
std::string escaped(std::string const& text);
// "0.25", "12.35", "1,234,567": four digits, and all that stand before the point.
std::string short_number(double value);
// Of an axis: "0.5", "200", "10 k", "5 M", "1e-06".
std::string axis_number(double value);
// About how wide a text of 12 pixels is.
double text_width(std::string const& text);

// How a series differs from others: colour, shape of its marks, dashes of its lines, and whether
// marks are filled.
struct Look
{
  std::string colour;
  std::size_t shape = 0;
  std::string dashes; // as stroke-dasharray; empty: a line without gaps
  bool is_hollow = false;
};

// Eight colours of Okabe and Ito (2008), which common kinds of colour blindness tell apart; grey
// stands for their yellow, which is hardly seen on white. The next eight are the same, hollow.
inline constexpr std::size_t filled_looks = 8;
Look look_of(std::size_t number);

struct Place
{
  double x = 0, y = 0; // pixels from the left, from the top
};

// The elements of a picture that charts need.
class Svg
{
public:
  // name: what a screen reader says of the picture.
  Svg(double width, double height, std::string const& name);

  void line(Place const& from, Place const& to, std::string const& colour, double width = 1);
  void path(std::vector<Place> const& places, Look const& look);
  // tip: what a browser shows of a mark under the pointer.
  void rectangle(Place const& corner, double width, double height, Look const& look,
                 std::string const& tip);
  void mark(Place const& place, Look const& look, std::string const& tip, double radius = 3.8);
  // A short level line: what cannot be passed.
  void bound(Place const& place, std::string const& tip, double half_width = 5);
  // anchor: start, middle, end; turned: degrees clockwise about the place.
  void text(Place const& place, std::string const& anchor, std::string const& content,
            double turned = 0);
  void title(Place const& place, std::string const& content);

  std::string str() const { return m_text.str() + "</svg>\n"; }

private:
  std::ostringstream m_text;
};

} // namespace heddle::perf
