#pragma once

#include <cmath>
#include <cstdint>
#include <string>

namespace pimsweep::systems::hypar {

enum class Topology : std::uint8_t { h_tree, torus };

/// Picojoules are the paper's unit; here everything is in joules, seconds and bytes.
struct EnergyConstants {
  double add = 0;
  double multiply = 0;
  double sram_word = 0;
  double dram_word = 0;
  /// Of moving a byte over one link.
  double link_byte = 0;
  /// DRAM accesses for each word that is exchanged.
  double dram_accesses_per_exchanged_word = 0;
  friend bool operator==(const EnergyConstants&, const EnergyConstants&) = default;
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
  /// For the torus: see noc::TorusRouting and noc::TorusMapping.
  std::string torus_routing;
  std::string torus_mapping;
  /// Of routers, for fidelity "cycle": bytes of a flit, flits of a packet, virtual channels, flits of one's buffer.
  double flit = 0;
  unsigned packet_flits = 0;
  unsigned virtual_channels = 0;
  unsigned buffer_flits = 0;
  EnergyConstants energy;

  std::int64_t accelerators() const { return std::int64_t{1} << levels; }
  /// Multiply-accumulates per second of one accelerator with all PEs at work.
  double peak_macs() const { return static_cast<double>(units * pe_rows * pe_cols) * clock; }
  friend bool operator==(const Machine&, const Machine&) = default;
};

}  // namespace pimsweep::systems::hypar
