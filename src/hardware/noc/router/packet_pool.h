#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "hardware/noc/router/tile_state.h"

namespace pimsweep::hardware::noc::router {

/// Packets in flight that a tile has sent. Their addresses are stable, so other tiles can read a packet while its own
/// tile adds more.
class PacketPool {
 public:
  /// Returns a free slot.
  std::uint32_t acquire() {
    if (free_.empty()) grow();
    const std::uint32_t place = free_.back();
    free_.pop_back();
    return place;
  }
  void assign(const PacketPool& other) {
    while (used_ < other.used_) grow();
    for (std::uint32_t i = 0; i < used_; ++i) {
      std::copy_n(other.chunks_[i].get(), std::size_t{first_size} << i, chunks_[i].get());
    }
    free_ = other.free_;
  }
  void release(std::uint32_t place) { free_.push_back(place); }

  Packet& operator[](std::uint32_t place) {
    const std::uint32_t number = place + first_size;
    const auto chunk = static_cast<unsigned>(std::bit_width(number)) - first_bits - 1;
    return chunks_[chunk][number - std::bit_floor(number)];
  }

 private:
  /// Each chunk is twice as large as the previous one.
  static constexpr unsigned first_bits = 8;
  static constexpr std::uint32_t first_size = 1U << first_bits;
  static constexpr unsigned max_chunks = 32 - first_bits - 1;

  [[gnu::noinline]] void grow() {
    const std::uint32_t size = first_size << used_;
    chunks_.at(used_) = std::make_unique<Packet[]>(size);
    ++used_;
    // The lowest slot comes last and is acquired first.
    for (std::uint32_t i = size; i > 0; --i) free_.push_back(size - first_size + i - 1);
  }

  std::array<std::unique_ptr<Packet[]>, max_chunks> chunks_;
  std::uint32_t used_ = 0;
  std::vector<std::uint32_t> free_;
};

}  // namespace pimsweep::hardware::noc::router
