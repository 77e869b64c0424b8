// SPDX-FileCopyrightText: heddle contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gallery/build.hpp>
#include <gallery/grid_box.hpp>
#include <heddle/gallery.hpp>
#include <heddle/impl/out_of_memory.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

// The standard displacement method (Zienkiewicz and Taylor, "The Finite Element Method"): the
// element stiffness is the integral of B^T D B over the element, the sum over elements is the
// matrix. All elements are alike, so are all nodes with the same elements around them: the blocks
// of the 27 kinds of node are summed once, and a row copies those of its kind.
//
// Trilinear shape functions on a cube make integrands of degree 2 at most in each coordinate, which
// two Gauss points each way integrate exactly. With E = 1 and nu = 3 / 10 (lambda = 15 / 26, mu =
// 10 / 26; integrals of products of derivatives are multiples of 1 / 72) every entry is a multiple
// of 1 / 1872. Entries are rounded to that, so no compiler's way of rounding the sums is left in
// them, and symmetry and null space are exact in integers.

namespace heddle
{

namespace
{

constexpr double lambda = 15.0 / 26, mu = 10.0 / 26;
constexpr double denominator = 1872;

using Vector3 = std::array<double, 3>;
using Corner = std::array<int, 3>; // 0 or 1 each way

int number_of(Corner const& corner) { return corner[0] + 2 * (corner[1] + 2 * corner[2]); }
Corner corner_of(int number) { return {number & 1, number >> 1 & 1, number >> 2}; }

// Gradient at p of the shape function that is 1 at the corner and 0 at the seven others.
Vector3 gradient(Corner const& corner, Vector3 const& p)
{
  Vector3 value{}, slope{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    value[axis] = corner[axis] == 1 ? p[axis] : 1 - p[axis];
    slope[axis] = corner[axis] == 1 ? 1 : -1;
  }
  return {slope[0] * value[1] * value[2], value[0] * slope[1] * value[2],
          value[0] * value[1] * slope[2]};
}

// Entry (row, column) of the 3 x 3 block of two corners, times the denominator.
using Block = std::array<std::int64_t, 9>;
using ElementStiffness = std::array<std::array<Block, 8>, 8>;

// What the integrand is at one point: lambda a b^T + mu (b a^T + (a . b) I), a and b the gradients.
double integrand(Vector3 const& a, Vector3 const& b, std::size_t row, std::size_t column)
{
  double const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  return lambda * a[row] * b[column] + mu * (a[column] * b[row] + (row == column ? dot : 0));
}

ElementStiffness element_stiffness()
{
  double const offset = std::numbers::sqrt3 / 6; // of the two Gauss points from 1 / 2
  constexpr double weight = 1.0 / 8;
  ElementStiffness stiffness{};
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      for (std::size_t k = 0; k < 9; ++k)
      {
        double sum = 0;
        for (int point = 0; point < 8; ++point)
        {
          Corner const side = corner_of(point);
          Vector3 const p = {0.5 + (2 * side[0] - 1) * offset, 0.5 + (2 * side[1] - 1) * offset,
                             0.5 + (2 * side[2] - 1) * offset};
          sum += weight *
                 integrand(gradient(corner_of(i), p), gradient(corner_of(j), p), k / 3, k % 3);
        }
        stiffness[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)][k] =
            std::llround(sum * denominator);
      }
  return stiffness;
}

// Where a node lies along an axis: at the low end, within, at the high end.
int place(std::int64_t position, std::int64_t extent)
{
  return position == 0 ? 0 : (position + 1 < extent ? 1 : 2);
}

std::size_t index_of_27(int x, int y, int z)
{
  int const index = x + 3 * (y + 3 * z);
  return static_cast<std::size_t>(index);
}

// The blocks of each kind of node with its neighbours, by place and offset + 1.
class NodeBlocks
{
public:
  NodeBlocks()
  {
    ElementStiffness const stiffness = element_stiffness();
    for (int kind = 0; kind < 27; ++kind)
      for (int neighbour = 0; neighbour < 27; ++neighbour)
        for (int element = 0; element < 8; ++element)
          add_element(stiffness, kind, neighbour, corner_of(element));
  }

  // Entry 3 row + column of the block.
  std::int64_t entry(std::size_t kind, std::size_t neighbour, std::size_t k) const
  {
    return m_blocks[kind][neighbour][k];
  }

private:
  static Corner digits(int number) { return {number % 3, number / 3 % 3, number / 9}; }

  // The element of which the node is the given corner, if it is there and has the neighbour too.
  void add_element(ElementStiffness const& stiffness, int kind, int neighbour, Corner const& corner)
  {
    Corner other{};
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      int const at = digits(kind)[axis];
      bool const is_there = corner[axis] == 1 ? at != 0 : at != 2;
      other[axis] = corner[axis] + digits(neighbour)[axis] - 1;
      if (!is_there || other[axis] < 0 || other[axis] > 1)
        return;
    }
    Block const& part = stiffness[static_cast<std::size_t>(number_of(corner))]
                                 [static_cast<std::size_t>(number_of(other))];
    Block& sum = m_blocks[static_cast<std::size_t>(kind)][static_cast<std::size_t>(neighbour)];
    for (std::size_t k = 0; k < sum.size(); ++k)
      sum[k] += part[k];
  }

  std::array<std::array<Block, 27>, 27> m_blocks{};
};

} // namespace

GalleryMatrix generate::elasticity(std::int64_t nx, std::int64_t ny, std::int64_t nz)
try
{
  impl::GridBox const grid("generate::elasticity", {nx, ny, nz}, 2, 3, 27);
  NodeBlocks const blocks;
  std::int64_t const rows = 3 * grid.points();
  return impl::build_matrix(
      rows, rows,
      [&](std::int64_t row) {
        std::int64_t count = 0;
        grid.for_box(row / 3, [&count](int, int, int, std::int64_t) { count += 3; });
        return count;
      },
      [&](std::int64_t row, std::int32_t* columns, double* values) {
        std::int64_t const node = row / 3;
        auto const [x, y, z] = grid.point(node);
        std::size_t const kind = index_of_27(place(x, nx), place(y, ny), place(z, nz));
        grid.for_box(node, [&](int dx, int dy, int dz, std::int64_t other) {
          std::size_t const neighbour = index_of_27(dx + 1, dy + 1, dz + 1);
          for (std::int64_t component = 0; component < 3; ++component)
          {
            auto const k = static_cast<std::size_t>(3 * (row % 3) + component);
            *columns++ = static_cast<std::int32_t>(3 * other + component);
            *values++ = static_cast<double>(blocks.entry(kind, neighbour, k)) / denominator;
          }
        });
      });
}
catch (...)
{
  impl::rethrow_out_of_memory("elasticity");
}

} // namespace heddle
