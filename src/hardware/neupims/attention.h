#pragma once

#include <cstdint>

namespace pimsweep::hardware::neupims {

/// PIM channels of NeuPIMs (ASPLOS 2024) on one GPU. Each channel computes the whole attention of the requests whose KV
/// cache it holds.
struct Device {
  std::int64_t channels = 1;
  std::int64_t banks = 1;
  /// Bytes of a DRAM page; each bank has one page open at a time.
  std::int64_t page_bytes = 1;
  /// Cycles to write a page-sized vector into the global buffer, and cycles of a tile: one page of each bank times that
  /// vector.
  std::int64_t write_cycles = 0;
  std::int64_t tile_cycles = 0;
  double clock = 0;
};

/// Attention of one new token of a request on one GPU.
struct AttentionShape {
  double heads = 1;
  double head_size = 1;
  double context = 1;
  double value_bytes = 2;
};

/// Cycles of a channel for a request by NeuPIMs' own estimate: queries, one page at a time, times one key per bank;
/// then for each head scores, one page at a time, times as many columns of values. Paper, Algorithm 1, with the
/// rounding of the artifact (casys-kaist/NeuPIMs, src/scheduler/Scheduler.cc:267-285): all quotients are rounded up.
double attention_cycles(const Device& device, const AttentionShape& shape);

}  // namespace pimsweep::hardware::neupims
