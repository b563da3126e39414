#include "systems/parts/gemm_point.h"

#include <fmt/format.h>

#include <array>

namespace pimsweep::systems::parts {

namespace {

using Dataflow = std::optional<hardware::pe_array::Dataflow>;
using hardware::pe_array::mapper::Objective;

constexpr std::array dataflow_words{Word{"mapped", Dataflow{}},
                                    Word{"os", Dataflow{hardware::pe_array::Dataflow::output_stationary}},
                                    Word{"ws", Dataflow{hardware::pe_array::Dataflow::weight_stationary}},
                                    Word{"is", Dataflow{hardware::pe_array::Dataflow::input_stationary}}};
constexpr std::array source_words{Word{"search", MappingSource::search}, Word{"given", MappingSource::given}};

/// Reasons for missing values.
constexpr const char* only_mapped = "dataflows of a systolic array";
constexpr const char* only_systolic = "dataflow mapped";

void add_problem_axes(AxisList& axes, GemmSettings& s) {
  constexpr double max_elements = 1 << 20;
  constexpr double max_pes = 1 << 10;
  constexpr double max_rate = 1LL << 40;
  axes.count(s.gemm.m, "M", 1, max_elements, "rows of Z[M,N] = A[M,K] x B[K,N]: activations")
      .count(s.gemm.n, "N", 1, max_elements, "columns of Z[M,N] = A[M,K] x B[K,N]: output channels")
      .count(s.gemm.k, "K", 1, max_elements, "depth of the reduction in Z[M,N] = A[M,K] x B[K,N]")
      .choice(s.dataflow, "dataflow", dataflow_words,
              "NVDLA-style engine under the best mapping, or a systolic array: output, weight or input stationary",
              Dataflow{})
      .choice(s.objective, "metrics", hardware::pe_array::mapper::objective_words,
              "objective of the search for a mapping; mapped only", Objective::cycles_then_energy)
      .choice(s.source, "mapper", source_words,
              "source of the mapping: search for the best, or axis best_mapping (given); mapped only",
              MappingSource::search)
      .text(s.mapping, "best_mapping", "mapping in Timeloop's notation, for mapper = \"given\"", "")
      .count(s.engine.rows, "array_rows", 1, max_pes, "rows of PEs; mapped: K is spread over them")
      .count(s.engine.cols, "array_cols", 1, max_pes, "columns of PEs; mapped: N is spread over them")
      .quantity(s.engine.dram_words_per_cycle, "dram_words_per_cycle", "1", 0, max_rate,
                "words between DRAM and buffer in a cycle, both directions together; 0: no limit", 0.0)
      .quantity(s.engine.buffer_words_per_cycle, "buffer_words_per_cycle", "1", 0, max_rate,
                "words in and out of the buffer in a cycle; 0: no limit; mapped only", 0.0)
      .count(s.max_cycles, "max_cycles", 0, 9e18, "upper limit of a mapping's cycles; 0: no limit; mapped only", 0,
             "cycle");
}

void add_hardware_axes(AxisList& axes, GemmSettings& s) {
  constexpr double max_bytes = 1LL << 40;
  constexpr double max_joules = 1;
  const auto bytes = [&](std::int64_t& place, const char* name, const char* doc) {
    axes.count(place, name, 1, max_bytes, doc, {}, "B");
  };
  const auto energy = [&](double& place, const char* name, const char* doc) {
    axes.quantity(place, name, "J", 0, max_joules, doc);
  };
  bytes(s.word_bytes, "hardware.data.word", "size of a value");
  bytes(s.line_bytes, "hardware.sram.line", "data moved by one access of the buffer or of DRAM");
  bytes(s.buffer_bytes, "hardware.sram.buffer", "capacity of the buffer that tiles of all operands share; mapped only");
  bytes(s.accumulator_bytes, "hardware.accumulator.capacity",
        "capacity of the accumulator buffer of a column; mapped only");
  energy(s.engine.energy.mac, "hardware.energy.mac", "energy of a multiply-accumulate");
  energy(s.engine.energy.register_word, "hardware.energy.register_word", "energy of an access of a PE's register");
  energy(s.engine.energy.accumulator_word, "hardware.energy.accumulator_word",
         "energy of an access of an accumulator buffer; mapped only");
  energy(s.engine.energy.buffer_line, "hardware.energy.buffer_line", "energy of an access of the buffer");
  energy(s.engine.energy.dram_line, "hardware.energy.dram_line", "energy of an access of DRAM");
}

void add_common_metrics(ColumnList& metrics, const GemmResult& r) {
  const auto percent = "1";
  metrics.count(r.cycles, "cycles", "the largest of compute, DRAM and buffer cycles, which overlap", "cycle")
      .count(r.compute_cycles, "compute_cycles", "cycles of the array alone; systolic: array_busy_lines", "cycle")
      .quantity(r.utilization_percent, "utilization_pct", percent,
                "multiply-accumulates by cycles x PEs, in percent (a display unit)")
      .count(r.macs, "macs", "multiply-accumulates of the GEMM")
      .quantity(r.energy, "energy", "J", "energy of all parts (docs/pe-array.md)")
      .quantity(r.energy_delay, "energy_delay", "1", "energy in joules times cycles");
  const auto per_mac = [&](const double& place, const char* name, const char* part) {
    metrics.quantity(place, name, "1",
                     fmt::format("energy of {} by multiply-accumulate, in femtojoules (a display unit)", part));
  };
  per_mac(r.per_mac.total, "fJ_per_MAC_total", "all parts");
  per_mac(r.per_mac.macs, "fJ_MACs", "the multipliers");
  per_mac(r.per_mac.registers, "fJ_Registers", "the registers of the PEs");
  per_mac(r.per_mac.accumulators, "fJ_AccBuffer", "the accumulator buffers");
  per_mac(r.per_mac.buffer, "fJ_Buffer", "the buffer");
  per_mac(r.per_mac.dram, "fJ_DRAM", "DRAM");
  metrics.count(r.dram_words, "dram_words",
                "words between DRAM and buffer, both directions; systolic: each operand once");
}

void add_mapping_metrics(ColumnList& metrics, const GemmResult& r) {
  metrics.quantity(r.dram_reads_a, "dram_reads_A", "1", "words of A read from DRAM", only_mapped)
      .quantity(r.dram_reads_b, "dram_reads_B", "1", "words of B read from DRAM", only_mapped)
      .quantity(r.dram_reads_z, "dram_reads_Z", "1", "partial sums read back from DRAM", only_mapped)
      .quantity(r.dram_updates_z, "dram_updates_Z", "1", "words of Z written to DRAM", only_mapped)
      .quantity(r.buffer_reads_a, "buffer_reads_A", "1", "words of A from the buffer to the PEs", only_mapped)
      .quantity(r.buffer_reads_b, "buffer_reads_B", "1", "words of B from the buffer to the registers", only_mapped)
      .quantity(r.buffer_updates_z, "buffer_updates_Z", "1", "sums from the accumulators to the buffer", only_mapped)
      .text(r.mapping, "mapping",
            "loops from the outside in: DRAM, buffer, accumulators (Timeloop's notation); mapped only");
}

void add_systolic_metrics(ColumnList& metrics, const GemmResult& r) {
  metrics.quantity(r.folds, "folds", "1", "folds of the GEMM onto the array", only_systolic)
      .quantity(r.busy_lines, "array_busy_lines", "cycle", "folds x cycles of a fold", only_systolic)
      .quantity(r.total_cycles, "cycles_total_no_stall", "cycle",
                "SCALE-Sim's Total Cycles: the index of the last line", only_systolic)
      .quantity(r.utilization, "overall_util_pct", "1",
                "multiply-accumulates by Total Cycles x PEs, in percent (a display unit)", only_systolic)
      .quantity(r.mapping_efficiency, "mapping_efficiency_pct", "1",
                "mapped elements by folds x PEs, in percent (a display unit)", only_systolic)
      .quantity(r.compute_utilization, "compute_util_pct", "1", "SCALE-Sim's Compute Util, in percent (a display unit)",
                only_systolic)
      .quantity(r.ifmap_reads, "sram_ifmap_reads", "1", "words of A from SRAM to the array", only_systolic)
      .quantity(r.filter_reads, "sram_filter_reads", "1", "words of B from SRAM to the array", only_systolic)
      .quantity(r.ofmap_writes, "sram_ofmap_writes", "1", "words of Z to SRAM as SCALE-Sim reports them",
                only_systolic);
}

}  // namespace

void add_axes(AxisList& axes, GemmSettings& settings) {
  add_problem_axes(axes, settings);
  add_hardware_axes(axes, settings);
}

void add_metrics(ColumnList& metrics, const GemmResult& result) {
  add_common_metrics(metrics, result);
  add_mapping_metrics(metrics, result);
  add_systolic_metrics(metrics, result);
}

}  // namespace pimsweep::systems::parts
