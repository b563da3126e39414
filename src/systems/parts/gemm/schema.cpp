#include "systems/parts/gemm/schema.h"

#include "hardware/pe_array/mapper/mapper.h"
#include "hardware/pe_array/systolic.h"
#include "systems/axes.h"

namespace pimsweep::systems::parts::gemm {

namespace {

constexpr double max_elements = 1 << 20;
constexpr double max_pes = 1 << 10;
constexpr double max_bytes = 1LL << 40;
constexpr double max_joules = 1;

Value text(std::string_view value) { return Value{std::string(value)}; }

std::vector<Axis> make_axes() {
  std::vector<std::string> dataflows{std::string(mapped)};
  dataflows.insert(dataflows.end(), hardware::pe_array::dataflow_names.begin(),
                   hardware::pe_array::dataflow_names.end());
  const auto& objectives = hardware::pe_array::mapper::objective_names;
  const auto rate = [](std::string name, std::string doc) {
    return Axis{std::move(name), ValueType::real, "1", Value{0.0}, 0, max_bytes, {}, std::move(doc)};
  };
  const auto bytes = [](std::string name, std::string doc) {
    return Axis{std::move(name), ValueType::integer, "B", {}, 1, max_bytes, {}, std::move(doc)};
  };
  const auto energy = [](std::string name, std::string doc) {
    return quantity_axis(std::move(name), "J", 0, max_joules, std::move(doc));
  };
  // In the order of AxisIndex.
  return {
      count_axis("M", {}, 1, max_elements, "rows of Z[M,N] = A[M,K] x B[K,N]: activations"),
      count_axis("N", {}, 1, max_elements, "columns: output channels"),
      count_axis("K", {}, 1, max_elements, "the reduction"),
      text_axis("dataflow", text(mapped), dataflows,
                "NVDLA-style engine under the best mapping, or a systolic array: output, weight or input stationary"),
      text_axis("metrics", text(objectives.front()), {objectives.begin(), objectives.end()},
                "what the mapping is best in; mapped only"),
      text_axis("mapper", text("search"), {"search", "given"}, "the best mapping, or best_mapping; mapped only"),
      text_axis("best_mapping", text(""), {}, "mapping in Timeloop's notation, for mapper = \"given\""),
      count_axis("array_rows", {}, 1, max_pes, "rows of PEs; mapped: K is spread over them"),
      count_axis("array_cols", {}, 1, max_pes, "columns of PEs; mapped: N is spread over them"),
      rate("dram_words_per_cycle", "words between DRAM and buffer, both ways together; 0: DRAM always keeps up"),
      rate("buffer_words_per_cycle", "words in and out of the buffer together; 0: it always keeps up; mapped only"),
      count_axis("max_cycles", Value{std::int64_t{0}}, 0, 9e18, "most cycles a mapping may take; 0: any; mapped only"),
      bytes("hardware.data.word", "size of a value"),
      bytes("hardware.sram.line", "moved by one access of the buffer or of DRAM"),
      bytes("hardware.sram.buffer", "buffer that tiles of all operands share; mapped only"),
      bytes("hardware.accumulator.capacity", "accumulator buffer of a column; mapped only"),
      energy("hardware.energy.mac", "a multiply-accumulate"),
      energy("hardware.energy.register_word", "an access of a PE's register"),
      energy("hardware.energy.accumulator_word", "an access of an accumulator buffer; mapped only"),
      energy("hardware.energy.buffer_line", "an access of the buffer"),
      energy("hardware.energy.dram_line", "an access of DRAM"),
  };
}

}  // namespace

Schema make_schema() {
  Schema schema;
  schema.name = "gemm";
  schema.doc = "One matrix product on a PE array: systolic as SCALE-Sim has it, or NVDLA-style under the best mapping";
  schema.version = 1;
  schema.axes = make_axes();
  schema.metrics = {
      {"cycles", "1", "the largest of compute, DRAM and buffer cycles, which overlap"},
      {"compute_cycles", "1", "of the array alone; systolic: array_busy_lines"},
      {"utilization_pct", "1", "multiply-accumulates by cycles x PEs, in per cent"},
      {"macs", "1", "multiply-accumulates"},
      {"energy", "J", "of all parts (docs/pe-array.md)"},
      {"energy_delay", "J", "energy x cycles"},
      {"fJ_per_MAC_total", "1", "energy by multiply-accumulates, in fJ"},
      {"fJ_MACs", "1", "part of the multipliers"},
      {"fJ_Registers", "1", "part of the PEs' registers"},
      {"fJ_AccBuffer", "1", "part of the accumulator buffers"},
      {"fJ_Buffer", "1", "part of the buffer"},
      {"fJ_DRAM", "1", "part of DRAM"},
      {"dram_words", "1", "between DRAM and buffer, both ways; systolic: each operand once"},
      {"dram_reads_A", "1", "words of A from DRAM; mapped only, as all below up to mapping"},
      {"dram_reads_B", "1", "words of B from DRAM"},
      {"dram_reads_Z", "1", "partial sums that come back from DRAM"},
      {"dram_updates_Z", "1", "words of Z to DRAM"},
      {"buffer_reads_A", "1", "words of A from the buffer to the PEs"},
      {"buffer_reads_B", "1", "words of B from the buffer to the registers"},
      {"buffer_updates_Z", "1", "sums from the accumulators to the buffer"},
      {"mapping", "1", "loops from the outside in: DRAM, buffer, accumulators (Timeloop's notation)", ValueType::text},
      {"folds", "1", "of the product onto the array; systolic only, as all below"},
      {"array_busy_lines", "1", "folds x cycles of a fold"},
      {"cycles_total_no_stall", "1", "SCALE-Sim's Total Cycles: the index of the last line"},
      {"overall_util_pct", "1", "multiply-accumulates by Total Cycles x PEs, in per cent"},
      {"mapping_efficiency_pct", "1", "mapped elements by folds x PEs, in per cent"},
      {"compute_util_pct", "1", "SCALE-Sim's Compute Util, in per cent"},
      {"sram_ifmap_reads", "1", "words of A from SRAM to the array"},
      {"sram_filter_reads", "1", "words of B from SRAM to the array"},
      {"sram_ofmap_writes", "1", "words of Z to SRAM as SCALE-Sim reports them"},
  };
  return schema;
}

}  // namespace pimsweep::systems::parts::gemm
