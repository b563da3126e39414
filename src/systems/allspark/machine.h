#pragma once

#include <cstdint>
#include <memory>

#include "hardware/dram/dram.h"
#include "hardware/noc/router/flows.h"
#include "hardware/pe_array/gemm_mapper.h"
#include "hardware/silicon/silicon.h"

namespace pimsweep::systems::allspark {

/// Minimum times between the commands of a DRAM bank, in seconds.
struct BankTiming {
  double tRCD = 0, tRP = 0, tRAS = 0, tRFC = 0, tREFI = 0, tCL = 0, tCWL = 0, tWR = 0, tRTP = 0, tWTR = 0;
  friend bool operator==(const BankTiming&, const BankTiming&) = default;
};

/// Timing constraints of a bank with its own controller, for Dram::constraints.
std::shared_ptr<const hardware::dram::Constraints> bank_constraints();

/// The DRAM of a node: banks that are accessed in parallel. Bytes, and bytes per second, of one bank.
struct NodeBanks {
  std::int64_t banks = 1;
  double capacity = 0;
  /// Reads and writes together.
  double bandwidth = 0;
  double row = 0;
  BankTiming timing;
  friend bool operator==(const NodeBanks&, const NodeBanks&) = default;
};

/// Overlap of DRAM read, link and DRAM write in a transfer between nodes.
enum class Transfer : std::uint8_t { store_and_forward, pipelined };

/// The mesh of links and routers between the nodes.
struct NodeMesh {
  /// Bytes per second of a link in one direction (BW).
  double link_bandwidth = 0;
  unsigned virtual_channels = 0;
  /// Flits that the buffer of a virtual channel holds.
  unsigned buffer = 0;
  unsigned packet_flits = 0;
  Transfer transfer = Transfer::store_and_forward;
  friend bool operator==(const NodeMesh&, const NodeMesh&) = default;
};

/// The nonlinear unit of a node (ACU): values per cycle, and passes over the values of each operator.
struct NonlinearUnit {
  std::int64_t lanes = 0;
  std::int64_t softmax_passes = 0;
  std::int64_t layernorm_passes = 0;
  std::int64_t gelu_passes = 0;
  friend bool operator==(const NonlinearUnit&, const NonlinearUnit&) = default;
};

/// The PIM-node array of Allspark (Sec. III-B, Table IV). Axes "hardware.*" fill the members; the models of its parts
/// are derived by the functions. Energies and densities of silicon are separate, so that machines that differ only in
/// these share the costs of schedules.
///
///     Machine machine;
///     machine.node_rows = machine.node_cols = 16;
///     machine.pe_rows = machine.pe_cols = 8;
///     ...
///     machine.require_buffer();
///     const hardware::pe_array::PeArray array = machine.pe_array();
struct Machine {
  std::int64_t node_rows = 0;
  std::int64_t node_cols = 0;
  std::int64_t pe_rows = 0;
  std::int64_t pe_cols = 0;
  /// Partial sums that the accumulators of a PE column hold.
  std::int64_t accumulators = 1;
  /// Hz.
  double clock = 0;
  double word_bytes = 0;
  /// Bytes of all SRAM buffers of a node.
  double buffer_bytes = 0;
  NodeBanks dram;
  NodeMesh mesh;
  NonlinearUnit acu;
  /// p_min of Sec. VI-A: the minimum number of patches per node.
  std::int64_t min_patch_chunk = 0;

  std::int64_t nodes() const { return node_rows * node_cols; }
  std::int64_t pes() const { return pe_rows * pe_cols; }
  /// Bytes of DRAM of a node (node_cap of Eq. 5).
  std::int64_t node_bytes() const;
  /// A node's processing engine with its DRAM at peak bandwidth.
  hardware::pe_array::PeArray pe_array() const;
  /// Throws PointError where the buffer cannot hold a tile of the PE array.
  void require_buffer() const;
  /// Cycles to move a byte from one node's DRAM to its neighbor's at peak rates.
  double transfer_cycles_per_byte() const;

  /// Timing of a bank at the clock of the logic die, without the bank's organization. Throws PointError where refreshes
  /// leave no time.
  hardware::dram::Dram bank() const;
  /// Bytes that a bank reads or writes in a cycle.
  double access_bytes() const { return dram.bandwidth / clock; }
  double flit_bytes() const { return mesh.link_bandwidth / clock; }
  hardware::noc::router::RouterSettings router() const;
  /// Throws PointError where the network of routers cannot be simulated.
  hardware::noc::router::PacketFormat packets() const;

  /// For area and cost.
  hardware::silicon::Parts parts() const;

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
