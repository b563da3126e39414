#pragma once

#include <cstdint>

#include "hardware/aim/device.h"

namespace pimsweep::systems::llm::step::cent {

/// Clocks of parts of a block's trace beyond the columns and rows that they work on.
struct TraceClocks {
  /// An element-wise product, a copy from a bank to the global buffer and on to another bank, and columns of a copy.
  double element_wise = 0;
  double copy = 0;
  double copy_column = 0;
  /// Changes between the parts of a normalization, in a block and behind the embedding.
  double norm = 0;
  double embedding_norm = 0;
  /// End of queries, keys and values, of gate and up, of the values' products and of the last product.
  double end = 0;
  /// Clocks that the first row of scores saves.
  double scores_overlap = 0;
  double softmax = 0;
  /// An activation function of one register with its result, and the function's beginning.
  double function = 0;
  double function_start = 0;
  /// A row of keys: its bursts into one bank, and the least from one row to the next.
  double key_row = 0;
  double key_row_gap = 0;
  /// One element of values in all banks of a channel.
  double value = 0;
  double activation = 0;
  double activation_column = 0;
  /// Additional clocks per burst that SiLU's second product waits after its first ones.
  double activation_wait = 0;
  double activation_hidden = 0;
};

/// Near-memory units of a device (CENT, run_sim.py:166-180), at the clock of the command bus.
struct NearMemory {
  /// Units of each kind: adders, exponents, reductions.
  std::int64_t units = 0;
  std::int64_t lanes = 0;
  std::int64_t cores = 0;
  /// Clocks of the shared buffer and of an exponent.
  double buffer_read = 0;
  double buffer_write = 0;
  double exponent = 0;
  /// Clocks of a core: a normalization, a rotated element, a head of softmax.
  double core_norm = 0;
  double core_rotation = 0;
  double core_softmax = 0;
  double core_softmax_write = 0;
};

/// CXL of a device.
struct Link {
  /// All lanes of the switch, which the devices share evenly.
  std::int64_t lanes = 0;
  /// Bytes in a second, and the share of it that a multicast gets.
  double lane_bandwidth = 0;
  double multicast_share = 1;
  /// One message through ports, wires and switch, s.
  double latency = 0;
  double flit_bytes = 0;
  double flit_payload = 0;
  /// J of a byte that a device sends or receives.
  double byte = 0;
};

/// Power in W of parts of a device other than DRAM. An access uses the part's power for one clock.
struct DevicePower {
  double transaction = 0;
  double phy = 0;
  std::int64_t channels_of_controller = 1;
  /// Leakage, of one global buffer, reduction, exponent and adder unit.
  double global_buffer = 0;
  double shared_buffer = 0;
  double instruction_buffer = 0;
  double reduce_leakage = 0;
  double exponent_leakage = 0;
  double add_leakage = 0;
  /// Control unit, half of the time switching.
  double control = 0;
  double global_buffer_read = 0;
  double global_buffer_write = 0;
  double shared_buffer_read = 0;
  double shared_buffer_write = 0;
  double instruction = 0;
  double core = 0;
  double reduce = 0;
  double exponent = 0;
  double add = 0;
};

/// CENT: CXL devices of GDDR6-AiM channels, a switch and a host.
struct Machine {
  std::int64_t devices = 0;
  hardware::aim::Device aim = {};
  TraceClocks trace = {};
  NearMemory near_memory = {};
  Link link = {};
  DevicePower power = {};
  /// Sampling of a token, s.
  double host_time = 0;
};

}  // namespace pimsweep::systems::llm::step::cent
