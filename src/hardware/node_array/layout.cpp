#include "hardware/node_array/layout.h"

#include <stdexcept>

namespace pimsweep::hardware::node_array {

namespace {

/// A grid of equal rectangles with its upper left corner at (row, col).
struct Grid {
  std::int64_t row, col, down, across, height, width;
  std::int64_t size() const { return down * across; }
};

struct Grids {
  Grid main, turned;
  std::int64_t size() const { return main.size() + turned.size(); }
};

/// StructLayout(A, B, a, b) of Algorithm 1.
Grids struct_layout(std::int64_t rows, std::int64_t cols, std::int64_t a, std::int64_t b) {
  const Grid main{0, 0, rows / a, cols / b, a, b};
  if (a > b) {
    const std::int64_t used = main.down * a;
    return {main, {used, 0, (rows - used) / b, cols / a, b, a}};
  }
  const std::int64_t used = main.across * b;
  return {main, {0, used, rows / b, (cols - used) / a, b, a}};
}

Grids best_layout(std::int64_t rows, std::int64_t cols, std::int64_t u, std::int64_t v) {
  if (rows < 1 || cols < 1 || u < 1 || v < 1) {
    throw std::invalid_argument("structured layout: the sizes of the node array and the sub-arrays must be positive");
  }
  const Grids upright = struct_layout(rows, cols, u, v);
  const Grids turned = struct_layout(rows, cols, v, u);
  return turned.size() > upright.size() ? turned : upright;
}

}  // namespace

std::int64_t layout_capacity(std::int64_t rows, std::int64_t cols, std::int64_t u, std::int64_t v) {
  return best_layout(rows, cols, u, v).size();
}

std::vector<SubArray> structured_layout(std::int64_t rows, std::int64_t cols, std::int64_t u, std::int64_t v) {
  const Grids grids = best_layout(rows, cols, u, v);
  std::vector<SubArray> result;
  result.reserve(static_cast<std::size_t>(grids.size()));
  for (const Grid& grid : {grids.main, grids.turned}) {
    for (std::int64_t y = 0; y < grid.down; ++y) {
      for (std::int64_t x = 0; x < grid.across; ++x) {
        result.push_back({grid.row + y * grid.height, grid.col + x * grid.width, grid.height, grid.width});
      }
    }
  }
  return result;
}

}  // namespace pimsweep::hardware::node_array
