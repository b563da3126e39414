#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/pe_array/mapper/mapper.h"
#include "hardware/pe_array/sram_energy.h"
#include "hardware/pe_array/systolic.h"
#include "systems/axis_table.h"
#include "systems/column_table.h"
#include "workload/input_size.h"

namespace pimsweep::systems::parts {

enum class MappingSource : std::uint8_t { search, given };

/// Value of the axis `model` for a single GEMM.
inline constexpr std::string_view no_model = "none";

/// A point of the system `gemm`.
struct GemmSettings {
  /// A network, or a GEMM of given sizes.
  std::string model;
  workload::InputSize size;
  std::int64_t batch = 1;
  hardware::pe_array::Gemm gemm;
  /// Fixed dataflow of a systolic array; none lets the mapper choose.
  std::optional<hardware::pe_array::Dataflow> dataflow;
  hardware::pe_array::mapper::Objective objective = hardware::pe_array::mapper::Objective::cycles_then_energy;
  MappingSource source = MappingSource::search;
  std::string_view mapping;
  /// 0: any.
  std::int64_t max_cycles = 0;
  std::int64_t word_bytes = 1;
  std::int64_t line_bytes = 0;
  std::int64_t buffer_bytes = 0;
  std::int64_t accumulator_bytes = 0;
  /// Capacities of a systolic array's SRAMs of A, B and Z; 0: that of the buffer.
  std::int64_t ifmap_bytes = 0;
  std::int64_t filter_bytes = 0;
  std::int64_t ofmap_bytes = 0;
  /// Capacity of the buffer whose energy `engine` has; 0: of any capacity.
  std::int64_t rated_bytes = 0;
  hardware::pe_array::SramEnergies sram;
  /// Words of the vector unit in a cycle, for each column of the array.
  double vector_words = 0;
  /// Capacities in words follow from those in bytes, and so does the energy of a line.
  hardware::pe_array::mapper::Engine engine;

  bool is_network() const { return model != no_model; }
};

/// Metrics. Systolic arrays lack those of a mapping, and mapped arrays those of a dataflow.
struct GemmResult {
  std::int64_t cycles = 0;
  std::int64_t compute_cycles = 0;
  double utilization_percent = 0;
  std::int64_t macs = 0;
  double energy = 0;
  double energy_delay = 0;
  /// In fJ by multiply-accumulate.
  struct PerMac {
    double total = 0;
    double macs = 0;
    double registers = 0;
    double accumulators = 0;
    double buffer = 0;
    double dram = 0;
  } per_mac;
  std::int64_t dram_words = 0;
  std::int64_t sram_words = 0;
  std::int64_t array_cycles = 0;
  std::int64_t vector_cycles = 0;
  /// Metrics of a mapping.
  std::optional<double> dram_reads_a, dram_reads_b, dram_reads_z, dram_updates_z;
  std::optional<double> buffer_reads_a, buffer_reads_b, buffer_updates_z;
  std::string mapping;
  /// Metrics of a systolic array.
  std::optional<double> folds, busy_lines, total_cycles;
  std::optional<double> utilization, mapping_efficiency, compute_utilization;
  std::optional<double> ifmap_reads, filter_reads, ofmap_writes;
};

/// A row of the table of a network's layers.
struct GemmLayerRow {
  std::string_view layer;
  std::string_view kind;
  bool on_array = false;
  std::int64_t gemms = 0;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::int64_t cycles = 0;
  std::optional<double> total_cycles;
  double utilization_percent = 0;
  std::int64_t macs = 0;
  std::int64_t sram_words = 0;
  std::int64_t dram_words = 0;
  double energy = 0;
  std::string mapping;
};

void add_axes(AxisList& axes, GemmSettings& settings, const std::vector<std::string>& models);
void add_metrics(ColumnList& metrics, const GemmResult& result);
void add_columns(ColumnList& columns, const GemmLayerRow& row);

}  // namespace pimsweep::systems::parts
