#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/words.h"
#include "systems/axis_table.h"

namespace pimsweep::systems::upmem {

/// Type of the elements that a kernel computes with.
enum class DataType : std::uint8_t { own, int8, int16, int32, int64, float32, float64 };
inline constexpr Words<DataType, 7> data_type_words{{{"own", DataType::own},
                                                     {"int8", DataType::int8},
                                                     {"int16", DataType::int16},
                                                     {"int32", DataType::int32},
                                                     {"int64", DataType::int64},
                                                     {"float", DataType::float32},
                                                     {"double", DataType::float64}}};
/// Bytes of an element; 0 for `own`.
double bytes_of(DataType type);

/// Transfer of the SDK: equal parts to many DPUs at once, one DPU after another, or one text to all.
enum class TransferMode : std::uint8_t { own, parallel, serial, broadcast };
inline constexpr Words<TransferMode, 4> transfer_words{{{"own", TransferMode::own},
                                                        {"parallel", TransferMode::parallel},
                                                        {"serial", TransferMode::serial},
                                                        {"broadcast", TransferMode::broadcast}}};

/// Cycles of one operation on each type, beyond its loads, stores and loop; indexed by DataType. A 32-bit
/// multiplication adds Machine::multiply_step for each bit of the smaller operand.
using OperationCycles = std::array<double, data_type_words.size()>;

/// A machine of UPMEM DIMMs (docs/upmem.md). Cycles are of the DPU's clock.
struct Machine {
  double clock = 0;
  std::int64_t threads = 0;
  /// Cycles between two instructions of one tasklet.
  double issue_interval = 0;
  /// Extra cycles of an instruction for operands in one half of the register file: mean of a kernel that has no own
  /// value.
  double conflicts = 0;
  /// Factor on the cycles that a kernel issues, for calibrations.
  double cycles_factor = 1;
  double mram = 0;
  double wram = 0;
  double stack = 0;
  double dma_read = 0;
  double dma_write = 0;
  double dma_bytes_per_cycle = 0;
  double dma_step = 0;
  double dma_max = 0;
  std::int64_t ranks = 0;
  std::int64_t rank_dpus = 0;
  std::int64_t chip_dpus = 0;
  std::int64_t dead_dpus = 0;
  double launch_one = 0;
  double launch_several = 0;
  /// First transfer of a series, and each further one: a fixed part, and a part for each DPU.
  double transfer_fixed = 0;
  double transfer_per_dpu = 0;
  double call_fixed = 0;
  double call_per_dpu = 0;
  /// Bandwidth of parallel transfers with one DPU, with one rank, and from `host_full_dpus` DPUs on.
  std::array<double, 3> to_dpus{};
  std::array<double, 3> from_dpus{};
  std::int64_t host_full_dpus = 0;
  double serial = 0;
  double broadcast = 0;
  /// Factor by which a transfer may differ from its estimate: on a host that was not measured, and on one that was.
  double unknown_host_factor = 0;
  double known_host_factor = 0;
  double multiply_step = 0;
  OperationCycles add{};
  OperationCycles multiply{};
  /// Cycles of a multiply-accumulate of a matrix by a vector with weights of 8 and 4 bits, loads and loop included, and
  /// further cycles of an output.
  double gemv_int8 = 0;
  double gemv_int4 = 0;
  double gemv_output = 0;
  double host_memory = 0;
  double chip_power = 0;
  double host_power = 0;

  std::int64_t dpus() const { return ranks * rank_dpus - dead_dpus; }
  /// Power of all chips of DPUs, which idle ones take too.
  double power() const { return static_cast<double>(ranks * rank_dpus) / static_cast<double>(chip_dpus) * chip_power; }
  /// The reason why the machine lacks these DPUs and tasklets; empty if it has them.
  std::string lacking(std::int64_t dpus, std::int64_t tasklets) const;
  /// Cycles of an instruction issued with others, conflicts included.
  double add_cycles(DataType type) const { return add[static_cast<std::size_t>(type)]; }
  double multiply_cycles(DataType type, double operand_bits) const;
  /// Time of launching a kernel on some DPUs and noticing that it has ended.
  double launch(std::int64_t dpus) const { return dpus == 1 ? launch_one : launch_several; }
};

/// The constants of a machine as axes "hardware.KEY".
void add_machine_axes(AxisList& axes, Machine& machine);

}  // namespace pimsweep::systems::upmem
