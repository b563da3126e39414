#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pimsweep::results {

/// Deflate level of all columns: the levels above it take two to ten times as long for a few percent.
inline constexpr unsigned deflate_level = 1;

/// What HDF5's filter deflate makes of a chunk.
std::string deflate(std::string_view chunk);

/// What HDF5's filter shuffle makes of elements of `width` bytes: first bytes first, then second bytes, and so on.
std::string shuffle(std::string_view elements, std::size_t width);

}  // namespace pimsweep::results
