#pragma once

#include <cstdint>
#include <optional>

#include "hardware/pe_array/gemm_mapper.h"
#include "systems/allspark/cycle/sustained_phases.h"

namespace pimsweep::systems::allspark {

/// The PIM-node array of Allspark (Sec. III-B, Table IV), in cycles, words and bytes.
struct Machine {
  std::int64_t node_rows = 0;
  std::int64_t node_cols = 0;
  hardware::pe_array::PeArray pe_array;
  /// Rows of Z that a column's accumulators hold.
  std::int64_t accumulator_rows = 1;
  /// Hz.
  double clock = 0;
  /// Bytes of DRAM of a node (node_cap of Eq. 5).
  std::int64_t node_bytes = 0;
  /// Bytes of a word.
  double word_bytes = 0;
  /// Cycles to move a byte from one node's DRAM to its neighbor's.
  double transfer_cycles_per_byte = 0;
  /// If given, formulas take the rates that streams and shared links sustain, else the two peak rates above.
  std::optional<cycle::SustainedSettings> sustained;
  std::int64_t acu_lanes = 0;
  std::int64_t softmax_passes = 0;
  std::int64_t layernorm_passes = 0;
  std::int64_t gelu_passes = 0;
  /// p_min of Sec. VI-A: the fewest patches that are worth a node.
  std::int64_t min_patch_chunk = 0;

  std::int64_t nodes() const { return node_rows * node_cols; }
  friend bool operator==(const Machine&, const Machine&) = default;
};

/// Joules.
struct EnergyCosts {
  /// A multiply-accumulate.
  double mac = 0;
  /// An access to a word of a weight register, and of an accumulator.
  double register_word = 0;
  double accumulator_word = 0;
  /// A byte read from or written to the buffer, and DRAM.
  double buffer_byte = 0;
  double dram_byte = 0;
  /// A byte over one link and its router.
  double link_byte = 0;
};

}  // namespace pimsweep::systems::allspark
