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
// "0.25", "1e+06": up to four digits.
std::string short_number(double value);

struct Place
{
  double x = 0, y = 0; // pixels from the left, from the top
};

// The elements of a picture that charts need.
class Svg
{
public:
  Svg(double width, double height);

  void line(Place const& from, Place const& to, std::string const& colour);
  void path(std::vector<Place> const& places, std::string const& colour);
  // tip: what a browser shows of a mark under the pointer.
  void rectangle(Place const& corner, double width, double height, std::string const& colour,
                 std::string const& tip);
  // One of a few shapes, so that series differ in more than colour.
  void mark(Place const& place, std::size_t shape, std::string const& colour,
            std::string const& tip);
  // anchor: start, middle, end; turned: degrees clockwise about the place.
  void text(Place const& place, std::string const& anchor, std::string const& content,
            int turned = 0);

  std::string str() const { return m_text.str() + "</svg>\n"; }

private:
  std::ostringstream m_text;
};

} // namespace heddle::perf
