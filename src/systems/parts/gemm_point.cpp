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
constexpr std::array unit_words{Word{"array", true}, Word{"vector", false}};
constexpr std::array source_words{Word{"search", MappingSource::search}, Word{"given", MappingSource::given}};

/// Reasons for missing values.
constexpr const char* only_mapped = "dataflows of a systolic array";
constexpr const char* only_systolic = "dataflow mapped";
constexpr const char* only_one_systolic = "dataflow mapped, networks";

void add_problem_axes(AxisList& axes, GemmSettings& s, const std::vector<std::string>& models) {
  constexpr double max_elements = 1 << 20;
  constexpr double max_size = 16384;
  std::vector<std::string> choices{std::string(no_model)};
  choices.insert(choices.end(), models.begin(), models.end());
  axes.text(s.model, "model", "network, one of configs/models or a file; none: a single GEMM of M, N and K", no_model,
            std::move(choices))
      .kind(AxisKind::model)
      .count(s.size.image_px, "image_px", 0, max_size, "side of an image in pixels; 0: the model's own", 0)
      .kind(AxisKind::image_size)
      .count(s.size.tokens, "tokens", 0, max_size, "tokens of a language model's sequence; 0: the model's own", 0)
      .kind(AxisKind::tokens)
      .count(s.batch, "batch", 1, 1 << 16, "images or sequences of a network that are processed together", 1)
      .count(s.gemm.m, "M", 0, max_elements, "rows of Z[M,N] = A[M,K] x B[K,N]: activations; 0: those of a network", 0)
      .count(s.gemm.n, "N", 0, max_elements,
             "columns of Z[M,N] = A[M,K] x B[K,N]: output channels; 0: those of a network", 0)
      .count(s.gemm.k, "K", 0, max_elements,
             "depth of the reduction in Z[M,N] = A[M,K] x B[K,N]; 0: those of a network", 0);
}

void add_array_axes(AxisList& axes, GemmSettings& s) {
  constexpr double max_pes = 1 << 10;
  constexpr double max_rate = 1LL << 40;
  axes.choice(s.dataflow, "dataflow", dataflow_words,
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
  const auto optional_bytes = [&](std::int64_t& place, const char* name, const char* doc) {
    axes.count(place, name, 0, max_bytes, doc, 0, "B");
  };
  const auto energy = [&](double& place, const char* name, const char* doc) {
    axes.quantity(place, name, "J", 0, max_joules, doc);
  };
  bytes(s.word_bytes, "hardware.data.word", "size of a value");
  bytes(s.line_bytes, "hardware.sram.line", "data moved by one access of the buffer or of DRAM");
  bytes(s.buffer_bytes, "hardware.sram.buffer", "capacity of the buffer that tiles of all operands share; mapped only");
  bytes(s.accumulator_bytes, "hardware.accumulator.capacity",
        "capacity of the accumulator buffer of a column; mapped only");
  optional_bytes(s.ifmap_bytes, "hardware.sram.ifmap", "capacity of a systolic array's SRAM of A; 0: the buffer's");
  optional_bytes(s.filter_bytes, "hardware.sram.filter", "capacity of a systolic array's SRAM of B; 0: the buffer's");
  optional_bytes(s.ofmap_bytes, "hardware.sram.ofmap", "capacity of a systolic array's SRAM of Z; 0: the buffer's");
  optional_bytes(s.rated_bytes, "hardware.sram.rated",
                 "capacity at which hardware.energy.buffer_line is rated; 0: at any capacity");
  const auto sram = [&](double& place, const char* name, const char* size) {
    axes.quantity(place, name, "J", 0, max_joules,
                  fmt::format("energy of an access of an SRAM of {}, which scales hardware.energy.buffer_line", size),
                  0.0);
  };
  sram(s.sram.at_8_kib, "hardware.energy.sram_8_kib", "8 KiB");
  sram(s.sram.at_32_kib, "hardware.energy.sram_32_kib", "32 KiB");
  sram(s.sram.at_1_mib, "hardware.energy.sram_1_mib", "1 MiB");
  constexpr double min_vector_words = 1e-3;
  constexpr double max_vector_words = 1e3;
  axes.quantity(s.vector_words, "hardware.vector.words", "1", min_vector_words, max_vector_words,
                "words of the vector unit in a cycle, for each column of the array");
  energy(s.engine.energy.mac, "hardware.energy.mac", "energy of a multiply-accumulate");
  energy(s.engine.energy.register_word, "hardware.energy.register_word", "energy of an access of a PE's register");
  energy(s.engine.energy.accumulator_word, "hardware.energy.accumulator_word",
         "energy of an access of an accumulator buffer; mapped only");
  energy(s.engine.energy.buffer_line, "hardware.energy.buffer_line", "energy of an access of the buffer");
  energy(s.engine.energy.dram_line, "hardware.energy.dram_line", "energy of an access of DRAM");
}

void add_common_metrics(ColumnList& metrics, const GemmResult& r) {
  const auto percent = "1";
  metrics
      .count(r.cycles, "cycles",
             "the largest of compute, DRAM and buffer cycles, which overlap; networks: sum of layers", "cycle")
      .count(r.compute_cycles, "compute_cycles", "cycles of the array alone; systolic: array_busy_lines", "cycle")
      .quantity(r.utilization_percent, "utilization_pct", percent,
                "multiply-accumulates by cycles x PEs, in percent (a display unit)")
      .count(r.macs, "macs", "multiply-accumulates of the GEMM or the network")
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
  metrics
      .count(r.dram_words, "dram_words", "words between DRAM and buffer, both directions; systolic: each operand once")
      .count(r.sram_words, "sram_words", "words in and out of the buffer, or of the SRAMs of a systolic array")
      .count(r.array_cycles, "array_cycles", "cycles of the GEMMs on the array", "cycle")
      .count(r.vector_cycles, "vector_cycles", "cycles of a network's operators on the vector unit; GEMM: 0", "cycle");
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
            "loops from the outside in: DRAM, buffer, accumulators (Timeloop's notation); one mapped GEMM only");
}

void add_systolic_metrics(ColumnList& metrics, const GemmResult& r) {
  metrics.quantity(r.folds, "folds", "1", "folds of the GEMM onto the array", only_systolic)
      .quantity(r.busy_lines, "array_busy_lines", "cycle", "folds x cycles of a fold", only_systolic)
      .quantity(r.total_cycles, "cycles_total_no_stall", "cycle",
                "SCALE-Sim's Total Cycles: the index of the last line, in all GEMMs", only_systolic)
      .quantity(r.utilization, "overall_util_pct", "1",
                "multiply-accumulates by Total Cycles x PEs, in percent (a display unit)", only_systolic)
      .quantity(r.mapping_efficiency, "mapping_efficiency_pct", "1",
                "mapped elements by folds x PEs, in percent (a display unit)", only_one_systolic)
      .quantity(r.compute_utilization, "compute_util_pct", "1", "SCALE-Sim's Compute Util, in percent (a display unit)",
                only_one_systolic)
      .quantity(r.ifmap_reads, "sram_ifmap_reads", "1", "words of A from SRAM to the array", only_systolic)
      .quantity(r.filter_reads, "sram_filter_reads", "1", "words of B from SRAM to the array", only_systolic)
      .quantity(r.ofmap_writes, "sram_ofmap_writes", "1", "words of Z to SRAM as SCALE-Sim reports them",
                only_systolic);
}

}  // namespace

void add_axes(AxisList& axes, GemmSettings& settings, const std::vector<std::string>& models) {
  add_problem_axes(axes, settings, models);
  add_array_axes(axes, settings);
  add_hardware_axes(axes, settings);
}

void add_metrics(ColumnList& metrics, const GemmResult& result) {
  add_common_metrics(metrics, result);
  add_mapping_metrics(metrics, result);
  add_systolic_metrics(metrics, result);
}

void add_columns(ColumnList& columns, const GemmLayerRow& row) {
  columns.text(row.layer, "layer", "operator of the network")
      .text(row.kind, "kind", "kind of the operator")
      .choice(row.on_array, "unit", unit_words, "unit that runs the operator: the array or the vector unit")
      .count(row.gemms, "gemms", "equal GEMMs of the layer, one after another; vector: 0")
      .count(row.m, "M", "rows of each GEMM; vector: 0")
      .count(row.n, "N", "columns of each GEMM; vector: 0")
      .count(row.k, "K", "depth of each GEMM's reduction; vector: 0")
      .count(row.cycles, "cycles", "cycles of all GEMMs of the layer, or of the vector unit", "cycle")
      .quantity(row.total_cycles, "cycles_total_no_stall", "cycle",
                "SCALE-Sim's Total Cycles: the index of the last line, in all GEMMs", "dataflow mapped, vector unit")
      .quantity(row.utilization_percent, "utilization_pct", "1",
                "multiply-accumulates by cycles x PEs, in percent (a display unit)")
      .count(row.macs, "macs", "multiply-accumulates of the layer")
      .count(row.sram_words, "sram_words", "words in and out of the buffer, or of the SRAMs of a systolic array")
      .count(row.dram_words, "dram_words", "words between DRAM and buffer, both directions")
      .quantity(row.energy, "energy", "J", "energy of all parts")
      .text(row.mapping, "mapping", "mapping of each GEMM in Timeloop's notation; mapped only");
}

}  // namespace pimsweep::systems::parts
