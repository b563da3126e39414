#pragma once

#include <cstdint>

#include "hardware/noc/torus.h"

namespace pimsweep::systems::hypar {

enum class Topology : std::uint8_t { h_tree, torus };

/// Joules, where the paper has picojoules.
struct EnergyConstants {
  double add = 0;
  double multiply = 0;
  double sram_word = 0;
  double dram_word = 0;
  /// For moving a byte over one link.
  double link_byte = 0;
  /// DRAM accesses for each exchanged word.
  double dram_accesses_per_exchanged_word = 0;
};

/// An array of 2^levels accelerators, each a Hybrid Memory Cube with processing units on its logic die (Secs. 5, 6.1).
struct Machine {
  int levels = 0;
  std::int64_t units = 0;
  std::int64_t pe_rows = 0;
  std::int64_t pe_cols = 0;
  /// Hz.
  double clock = 0;
  /// Share of the PEs' cycles that do work, for compute model "throughput".
  double utilization = 0;
  /// Bytes; the buffer of one processing unit.
  double buffer = 0;
  /// Words of a PE's scratchpads.
  std::int64_t pe_input_words = 0;
  std::int64_t pe_filter_words = 0;
  std::int64_t pe_psum_words = 0;
  double dram_capacity = 0;
  /// Bytes per second, of one accelerator.
  double dram_bandwidth = 0;
  double word = 0;
  Topology topology = Topology::h_tree;
  /// Bytes per second and direction of an accelerator's link to the H-tree, or of a torus link.
  double link_bandwidth = 0;
  hardware::noc::TorusRouting torus_routing = hardware::noc::TorusRouting::dimension_order;
  hardware::noc::TorusMapping torus_mapping = hardware::noc::TorusMapping::row_major;
  /// Routers, for fidelity "cycle": bytes in a flit, flits in a packet, virtual channels of a port, flits in the buffer
  /// of a virtual channel.
  double flit = 0;
  unsigned packet_flits = 0;
  unsigned virtual_channels = 0;
  unsigned buffer_flits = 0;
  EnergyConstants energy;

  std::int64_t accelerators() const { return std::int64_t{1} << levels; }
  /// Multiply-accumulates per second of one accelerator with all PEs active.
  double peak_macs() const { return static_cast<double>(units * pe_rows * pe_cols) * clock; }
};

}  // namespace pimsweep::systems::hypar
