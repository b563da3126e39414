#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

#include "hardware/dram/dram.h"

namespace pimsweep::hardware::dram {

/// The banks of a domain start at a multiple of this number of lanes, so a vector never mixes domains.
inline constexpr std::int32_t block_lanes = 8;
inline constexpr std::int32_t max_lanes = 64;
inline constexpr int lane_bits = 6;
static_assert(max_banks <= max_lanes && max_domains * block_lanes <= max_lanes && max_lanes == 1 << lane_bits);

/// A vector of 8 banks. Vector comparisons and selections replace loops over banks; results are identical on all
/// instruction sets. Passed by reference only: the calling convention for values depends on the instruction set.
using Block [[gnu::vector_size(32)]] = std::int32_t;

[[gnu::always_inline]] inline void raise(Block& block, const Block& bound) { block = block > bound ? block : bound; }
[[gnu::always_inline]] inline void lower(Block& block, const Block& bound) { block = block < bound ? block : bound; }
/// The block that starts at index max_lanes + k - lane is -1 in that lane and 0 in all others, where k is the first
/// lane of the block.
inline constexpr std::array<std::int32_t, std::size_t{2}* max_lanes> only_lane = [] {
  std::array<std::int32_t, std::size_t{2} * max_lanes> masks{};
  masks[max_lanes] = -1;
  return masks;
}();
/// Fills a block with -1 in one lane and 0 in the others.
[[gnu::always_inline]] inline void mask_lane(Block& mask, std::int32_t lane, std::int32_t number) {
  std::memcpy(&mask, &only_lane[static_cast<std::size_t>(max_lanes + number * block_lanes - lane)], sizeof(mask));
}

/// One number per bank, in blocks.
struct alignas(64) Lanes {
  std::array<std::int32_t, max_lanes> at{};

  static constexpr std::size_t first_of(std::int32_t number) { return static_cast<std::size_t>(number) * block_lanes; }
  std::int32_t operator[](std::int32_t lane) const { return at[static_cast<std::size_t>(lane)]; }

  [[gnu::always_inline]] void load(Block& block, std::int32_t number) const {
    std::memcpy(&block, &at[first_of(number)], sizeof(block));
  }
  [[gnu::always_inline]] void store(const Block& block, std::int32_t number) {
    std::memcpy(&at[first_of(number)], &block, sizeof(block));
  }
  /// Sets one lane by storing its whole block: loading the block right after storing a single lane would stall.
  [[gnu::always_inline]] void set(std::int32_t lane, std::int32_t value) {
    const std::int32_t number = lane / block_lanes;
    Block block;
    Block mask;
    load(block, number);
    mask_lane(mask, lane, number);
    store((block & ~mask) | (mask & value), number);
  }
  /// Raises one lane to `value`, and negative lanes of its block to 0.
  [[gnu::always_inline]] void raise_lane(std::int32_t lane, std::int32_t value) {
    const std::int32_t number = lane / block_lanes;
    Block block;
    Block mask;
    load(block, number);
    mask_lane(mask, lane, number);
    raise(block, mask & value);
    store(block, number);
  }
};

[[gnu::always_inline]] inline std::int32_t smallest(const Block& block) {
  Block b = block;
  lower(b, __builtin_shufflevector(b, b, 4, 5, 6, 7, 0, 1, 2, 3));
  lower(b, __builtin_shufflevector(b, b, 2, 3, 0, 1, 6, 7, 4, 5));
  return b[0] < b[1] ? b[0] : b[1];
}
/// The minimum of each of two blocks.
[[gnu::always_inline]] inline std::array<std::int32_t, 2> smallest(const Block& one, const Block& other) {
  Block b = __builtin_shufflevector(one, other, 0, 1, 2, 3, 8, 9, 10, 11);
  lower(b, __builtin_shufflevector(one, other, 4, 5, 6, 7, 12, 13, 14, 15));
  lower(b, __builtin_shufflevector(b, b, 2, 3, 0, 1, 6, 7, 4, 5));
  lower(b, __builtin_shufflevector(b, b, 1, 0, 3, 2, 5, 4, 7, 6));
  return {b[0], b[4]};
}

/// A key orders requests: active requests first, then by number. It also encodes the lane and the kind of command.
inline constexpr int key_bits = 24;
inline constexpr std::int32_t not_active = 1 << (key_bits - 1);
inline constexpr int number_shift = lane_bits + 1;
inline constexpr std::int32_t max_number = (1 << (key_bits - 1 - number_shift)) - 2;
inline constexpr std::int32_t no_key = std::numeric_limits<std::int32_t>::max();
/// Set if the request needs an ACT or a PRE; clear for an RD or WR.
inline constexpr std::int32_t row_command = 1;
/// The key that closes a row without a request, after those of all requests.
inline constexpr std::int32_t close_row = not_active | max_number << number_shift | row_command;
constexpr std::int32_t lane_of(std::int32_t key) { return key >> 1 & (max_lanes - 1); }
constexpr std::int32_t with_lane(std::int32_t key, std::int32_t lane) {
  return (key & ~((max_lanes - 1) << 1)) | lane << 1;
}

/// Longer waits are clamped to this number of clocks.
inline constexpr std::int32_t max_wait = 127;
/// Packs the clocks until the next command of a request is allowed above its key: a smaller value is earlier, then of
/// higher priority. no_key remains no_key.
constexpr std::int32_t packed(std::int32_t wait, std::int32_t key) {
  return (wait < 0 ? 0 : wait < max_wait ? wait : max_wait) << key_bits | key;
}
constexpr std::int32_t wait_of(std::int32_t packed) { return packed >> key_bits; }
constexpr std::int32_t key_of(std::int32_t packed) { return packed & ((1 << key_bits) - 1); }

/// Raises a block of clocks to `from` and then, where `odd` is 1, to odd clocks.
[[gnu::always_inline]] inline void align(Block& times, std::int32_t from, const Block& odd) {
  raise(times, Block{} + from);
  times |= odd;
}
/// Packs a block of clocks, none of which is before `from`.
[[gnu::always_inline]] inline void pack(Block& times, std::int32_t now, std::int32_t from, const Block& keys) {
  times -= now;
  raise(times, Block{} + (from - now));
  lower(times, Block{} + max_wait);
  times = times << key_bits | keys;
}

}  // namespace pimsweep::hardware::dram
