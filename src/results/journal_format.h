#pragma once

#include <cstddef>
#include <string_view>

namespace pimsweep::results::journal_format {

inline constexpr std::string_view magic = "pimsweep journal 2\n";
/// The number in it.
inline constexpr std::string_view version = magic.substr(magic.rfind(' ') + 1, magic.size() - magic.rfind(' ') - 2);
/// Length and checksum of the payload.
inline constexpr std::size_t frame_head = 8;

/// The first byte of a payload.
enum class Kind : char {
  header = 'h',   ///< JournalHeader as text
  results = 'r',  ///< number of the first point (64 bits), how many points (32 bits), then their entries in order
  death = 'd'     ///< number of the point (64 bits), then the cause as text
};

/// Kind, first point and number of points of a results frame.
inline constexpr std::size_t results_head = 13;

}  // namespace pimsweep::results::journal_format
