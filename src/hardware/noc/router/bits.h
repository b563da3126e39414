#pragma once

#include <cstdint>

namespace pimsweep::hardware::noc::router {

/// A set of up to 128 members; smaller sets are std::uint64_t or std::uint32_t.
__extension__ using WideBits = unsigned __int128;

/// Lowest member of a nonempty set; std::countr_zero would also test for an empty one.
inline unsigned lowest(std::uint32_t set) { return static_cast<unsigned>(__builtin_ctz(set)); }
inline unsigned lowest(std::uint64_t set) { return static_cast<unsigned>(__builtin_ctzll(set)); }
inline unsigned lowest(WideBits set) {
  const auto low = static_cast<std::uint64_t>(set);
  return low != 0 ? lowest(low) : 64 + lowest(static_cast<std::uint64_t>(set >> 64));
}

/// The first member at or after `from`, cyclically: the choice of a round-robin pointer. The set must not be empty, and
/// `from` must be less than the number of bits.
template <typename Set>
unsigned first_from(Set set, unsigned from) {
  const Set behind = (set >> from) << from;
  return lowest(behind != 0 ? behind : set);
}

/// The first preferred member, or the first member if none is preferred. The set must not be empty.
template <typename Set>
unsigned first_preferred(Set set, Set preferred) {
  const Set best = set & preferred;
  return lowest(best != 0 ? best : set);
}

template <typename Set>
Set bit(unsigned member) {
  return Set{1} << member;
}

/// All members if `bit` is 1, none if it is 0, without a branch.
inline std::uint64_t all_or_none(std::uint64_t bit) {
  return static_cast<std::uint64_t>(-static_cast<std::int64_t>(bit));
}

/// Members 0 to count - 1; count is at most the number of bits.
template <typename Set>
Set first_members(unsigned count) {
  return count == 8 * sizeof(Set) ? ~Set{0} : bit<Set>(count) - 1;
}

}  // namespace pimsweep::hardware::noc::router
