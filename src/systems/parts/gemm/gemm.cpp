#include "systems/parts/gemm/gemm.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "base/error.h"
#include "hardware/pe_array/mapper/mapper.h"
#include "hardware/pe_array/mapper/notation.h"
#include "hardware/pe_array/systolic.h"
#include "systems/parts/gemm/schema.h"
#include "systems/record_builder.h"

namespace pimsweep::systems::parts::gemm {

namespace {

namespace hw = hardware::pe_array;
using hw::mapper::Cost;
using hw::mapper::Engine;

/// Counts are 64-bit integers; an operand may be moved for every multiply-accumulate, by several levels.
constexpr double max_macs = 1e17;

/// Words that so many bytes hold.
std::int64_t words(const Point& point, AxisIndex bytes) {
  const std::int64_t count = point.integer(bytes) / point.integer(data_word);
  if (count == 0) {
    throw PointError(fmt::format("{} B do not hold a word of hardware.data.word = {} B", point.integer(bytes),
                                 point.integer(data_word)));
  }
  return count;
}

hw::Gemm product_of(const Point& point) {
  const double macs = point.real(size_m) * point.real(size_n) * point.real(size_k);
  if (macs > max_macs) throw PointError(fmt::format("{:g} multiply-accumulates: more than {:g}", macs, max_macs));
  return {point.integer(size_m), point.integer(size_n), point.integer(size_k)};
}

Engine engine_of(const Point& point) {
  Engine engine;
  engine.rows = point.integer(array_rows);
  engine.cols = point.integer(array_cols);
  engine.accumulator_words = words(point, accumulator);
  engine.buffer_words = words(point, buffer);
  engine.line_words = words(point, line);
  engine.dram_words_per_cycle = point.real(dram_words_per_cycle);
  engine.buffer_words_per_cycle = point.real(buffer_words_per_cycle);
  engine.energy = {point.real(energy_mac), point.real(energy_register), point.real(energy_accumulator),
                   point.real(energy_buffer), point.real(energy_dram)};
  return engine;
}

template <std::size_t n>
std::size_t position(const std::array<std::string_view, n>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

bool is_mapped(const Point& point) { return point.text(dataflow) == mapped; }

/// A systolic product with what SCALE-Sim does not give: DRAM words, cycles under a bandwidth and energy, by the
/// engine's table. Each operand crosses DRAM once, whatever the SRAM holds; partial sums that go back into the array
/// are read from SRAM; a multiply-accumulate touches a register for each of its three operands.
struct Systolic {
  hw::SystolicCost counts;
  Cost cost;
};

Systolic systolic_of(const hw::Gemm& product, const Point& point, const Engine& engine) {
  const auto kind = static_cast<hw::Dataflow>(position(hw::dataflow_names, point.text(dataflow)));
  Systolic systolic{hw::systolic_cost(product, kind, engine.rows, engine.cols), {}};
  Cost& cost = systolic.cost;
  cost.macs = product.m * product.n * product.k;
  cost.register_words = 3 * cost.macs;
  cost.dram_reads_a = product.m * product.k;
  cost.dram_reads_b = product.k * product.n;
  cost.dram_updates_z = product.m * product.n;
  cost.buffer_reads_a = systolic.counts.ifmap_reads;
  cost.buffer_reads_b = systolic.counts.filter_reads;
  cost.buffer_updates_z = systolic.counts.ofmap_writes;
  cost.buffer_reads_z = systolic.counts.ofmap_writes - cost.dram_updates_z;
  cost.compute_cycles = systolic.counts.busy_lines;
  hw::mapper::add_cycles_and_energy(cost, engine);
  return systolic;
}

class GemmSystem final : public System {
 public:
  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    const hw::Gemm product = product_of(point);
    const Engine engine = engine_of(point);
    RecordBuilder out(schema_, record);
    if (is_mapped(point)) {
      const auto solution = best(product, engine, point);
      if (!solution) {
        record.status = Status::infeasible;
        record.message = no_mapping(engine);
        return;
      }
      write_cost(solution->cost, engine, out);
      const Cost& cost = solution->cost;
      out.set("dram_reads_A", cost.dram_reads_a);
      out.set("dram_reads_B", cost.dram_reads_b);
      out.set("dram_reads_Z", cost.dram_reads_z);
      out.set("dram_updates_Z", cost.dram_updates_z);
      out.set("buffer_reads_A", cost.buffer_reads_a);
      out.set("buffer_reads_B", cost.buffer_reads_b);
      out.set("buffer_updates_Z", cost.buffer_updates_z);
      out.set("mapping", hardware::pe_array::mapper::to_text(solution->mapping, product));
    } else {
      const auto [counts, cost] = systolic_of(product, point, engine);
      write_cost(cost, engine, out);
      out.set("folds", counts.folds);
      out.set("array_busy_lines", counts.busy_lines);
      out.set("cycles_total_no_stall", counts.total_cycles);
      out.set("overall_util_pct", 100 * counts.utilization);
      out.set("mapping_efficiency_pct", 100 * counts.mapping_efficiency);
      out.set("compute_util_pct", 100 * counts.compute_utilization);
      out.set("sram_ifmap_reads", counts.ifmap_reads);
      out.set("sram_filter_reads", counts.filter_reads);
      out.set("sram_ofmap_writes", counts.reported_ofmap_writes);
    }
    record.status = Status::ok;
  }

  Hash128 workload_hash(const Point& /*point*/) override { return {}; }

  void explain(const Point& point, Explanation& explanation) override;

 private:
  std::optional<hw::mapper::Solution> best(const hw::Gemm& product, const Engine& engine, const Point& point) {
    const std::int64_t limit = point.integer(max_cycles);
    const std::int64_t most_cycles = limit == 0 ? hw::mapper::any_cycles : limit;
    if (point.text(mapper) == "given") {
      const hw::mapper::Mapping mapping = given(point.text(best_mapping), product, engine);
      const Cost cost = hardware::pe_array::mapper::cost_of(mapping, product, engine);
      if (cost.cycles > most_cycles) return std::nullopt;
      return hw::mapper::Solution{mapping, cost};
    }
    const auto objective =
        static_cast<hw::mapper::Objective>(position(hw::mapper::objective_names, point.text(metrics)));
    return mapper_(product, engine, objective, most_cycles);
  }

  static hw::mapper::Mapping given(const std::string& text, const hw::Gemm& product, const Engine& engine) {
    try {
      const hw::mapper::Mapping mapping = hw::mapper::parse_mapping(text, product);
      if (hardware::pe_array::mapper::is_possible(mapping, product, engine)) return mapping;
    } catch (const std::invalid_argument& error) {
      throw PointError(error.what());
    }
    throw PointError(
        fmt::format("mapping '{}' does not fit an array of {} x {}, accumulators of {} and a buffer of {} "
                    "words, or does not cut tiles at whole steps",
                    text, engine.rows, engine.cols, engine.accumulator_words, engine.buffer_words));
  }

  static std::string no_mapping(const Engine& engine) {
    // The smallest tile is one word of each operand.
    return engine.buffer_words < 3
               ? fmt::format("a buffer of {} words cannot hold a word of each operand", engine.buffer_words)
               : "no mapping takes at most max_cycles";
  }

  static void write_cost(const Cost& cost, const Engine& engine, RecordBuilder& out) {
    const auto macs = static_cast<double>(cost.macs);
    const auto cycles = static_cast<double>(cost.cycles);
    const auto per_mac = [&](double joule) { return joule * 1e15 / macs; };
    out.set("cycles", cost.cycles);
    out.set("compute_cycles", cost.compute_cycles);
    out.set("utilization_pct", 100 * macs / (cycles * static_cast<double>(engine.pes())));
    out.set("macs", cost.macs);
    out.set("energy", cost.energy());
    out.set("energy_delay", cost.energy() * cycles);
    out.set("fJ_per_MAC_total", per_mac(cost.energy()));
    out.set("fJ_MACs", per_mac(cost.mac_energy));
    out.set("fJ_Registers", per_mac(cost.register_energy));
    out.set("fJ_AccBuffer", per_mac(cost.accumulator_energy));
    out.set("fJ_Buffer", per_mac(cost.buffer_energy));
    out.set("fJ_DRAM", per_mac(cost.dram_energy));
    out.set("dram_words", cost.dram_words());
  }

  Schema schema_ = make_schema();
  hw::mapper::Mapper mapper_;
};

void GemmSystem::explain(const Point& point, Explanation& explanation) {
  const hw::Gemm product = product_of(point);
  const Engine engine = engine_of(point);
  const auto number = [](std::int64_t value) { return fmt::format("{}", value); };
  Cost cost;
  if (is_mapped(point)) {
    const auto solution = best(product, engine, point);
    if (!solution) {
      explanation.section("no result").lines.push_back({"reason", no_mapping(engine), ""});
      return;
    }
    cost = solution->cost;
    const hw::mapper::Mapping& m = solution->mapping;
    auto& lines = explanation.section("mapping").lines;
    lines.push_back({"loops", hardware::pe_array::mapper::to_text(m, product), "from the outside in"});
    lines.push_back({"tile", fmt::format("{} x {} x {}", m.tile.m, m.tile.n, m.tile.k), "M x N x K in the buffer"});
    lines.push_back({"strip", number(m.strip), "rows of Z in an accumulator buffer"});
    lines.push_back({"PEs", fmt::format("{} x {}", m.used_rows, m.used_cols), "K x N at a time"});
  } else {
    const Systolic systolic = systolic_of(product, point, engine);
    cost = systolic.cost;
    auto& lines = explanation.section("systolic array").lines;
    lines.push_back({"folds", number(systolic.counts.folds), "one after another"});
    lines.push_back({"fold", number(systolic.counts.busy_lines / systolic.counts.folds), "cycles of each"});
  }
  auto& cycles = explanation.section("cycles").lines;
  cycles.push_back({"cycles", number(cost.cycles), "all parts overlap"});
  cycles.push_back({"compute", number(cost.compute_cycles), ""});
  cycles.push_back({"DRAM", number(hw::mapper::transfer_cycles(cost.dram_words(), engine.dram_words_per_cycle)),
                    fmt::format("{} words", cost.dram_words())});
  cycles.push_back({"buffer", number(hw::mapper::transfer_cycles(cost.buffer_words(), engine.buffer_words_per_cycle)),
                    fmt::format("{} words", cost.buffer_words())});
  auto& energy = explanation.section("energy").lines;
  const auto add = [&](const char* name, double value) {
    energy.push_back({name, fmt::format("{:.4g} J", value), ""});
  };
  add("multipliers", cost.mac_energy);
  add("registers", cost.register_energy);
  add("accumulators", cost.accumulator_energy);
  add("buffer", cost.buffer_energy);
  add("DRAM", cost.dram_energy);
}

}  // namespace

std::unique_ptr<System> make_gemm(const std::string& /*config_dir*/) { return std::make_unique<GemmSystem>(); }

std::vector<PolicyInfo> gemm_policies() { return {}; }

}  // namespace pimsweep::systems::parts::gemm
