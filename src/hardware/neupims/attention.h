#pragma once

#include <cstdint>

namespace pimsweep::hardware::neupims {

/// Channels of NeuPIMs (ASPLOS 2024), each of which computes the whole attention of the requests whose keys and values
/// it holds, on one card.
struct Device {
  std::int64_t channels = 1;
  std::int64_t banks = 1;
  /// Bytes of a DRAM page, which is open in a bank at a time.
  std::int64_t page_bytes = 1;
  /// Cycles of writing a vector of a page into the global buffer, and of a tile: a page of each bank times that vector.
  std::int64_t write_cycles = 0;
  std::int64_t tile_cycles = 0;
  double clock = 0;
};

/// Attention of one new token of a request on one card.
struct AttentionShape {
  double heads = 1;
  double head_size = 1;
  double context = 1;
  double value_bytes = 2;
};

/// Cycles of a channel for a request, as NeuPIMs estimates them: queries, a page at a time, times as many keys as there
/// are banks; then for each head scores, a page at a time, times as many columns of values. Paper, Algorithm 1, with
/// the artifact's rounding (casys-kaist/NeuPIMs, src/scheduler/Scheduler.cc:267-285): all quotients are rounded up.
double attention_cycles(const Device& device, const AttentionShape& shape);

}  // namespace pimsweep::hardware::neupims
