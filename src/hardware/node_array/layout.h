#pragma once

#include <cstdint>
#include <vector>

namespace pimsweep::hardware::node_array {

/// A rectangle of nodes in a node array; row and col of its upper left node count from 0.
struct SubArray {
  std::int64_t row = 0;
  std::int64_t col = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
  friend bool operator==(const SubArray&, const SubArray&) = default;
};

/// Number of u x v sub-arrays, in either orientation, that the structured layout packs into a rows x cols node array
/// (Allspark, Sec. VII-B1, Algorithm 1): a regular grid of sub-arrays in one orientation and a second grid of rotated
/// ones in the remaining rows or columns, for the better of the two orientations. 0 if a sub-array does not fit. Throws
/// std::invalid_argument if a size is not positive.
std::int64_t layout_capacity(std::int64_t rows, std::int64_t cols, std::int64_t u, std::int64_t v);

/// The sub-arrays: the main grid row by row, then the rotated ones row by row.
std::vector<SubArray> structured_layout(std::int64_t rows, std::int64_t cols, std::int64_t u, std::int64_t v);

}  // namespace pimsweep::hardware::node_array
