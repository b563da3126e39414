#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "base/error.h"
#include "hardware/pe_array/mapper/notation.h"
#include "systems/parts/gemm_point.h"
#include "systems/parts/parts.h"

namespace pimsweep::systems::parts {

namespace {

namespace pe_array = hardware::pe_array;
namespace mapper = hardware::pe_array::mapper;
using mapper::Cost;
using mapper::Engine;
using pe_array::Gemm;

/// A GEMM on a systolic array with metrics beyond SCALE-Sim's: DRAM words, cycles under a bandwidth and energy, by
/// the engine's table. Each operand crosses DRAM once, independent of the SRAM's capacity; partial sums that go back
/// into the array are read from SRAM; a multiply-accumulate touches a register for each of its three operands.
struct Systolic {
  pe_array::SystolicCost counts;
  Cost cost;
};

Systolic systolic_of(const Gemm& gemm, pe_array::Dataflow dataflow, const Engine& engine) {
  Systolic systolic{pe_array::systolic_cost(gemm, dataflow, engine.rows, engine.cols), {}};
  Cost& cost = systolic.cost;
  cost.macs = gemm.m * gemm.n * gemm.k;
  cost.register_words = 3 * cost.macs;
  cost.dram_reads_a = gemm.m * gemm.k;
  cost.dram_reads_b = gemm.k * gemm.n;
  cost.dram_updates_z = gemm.m * gemm.n;
  cost.buffer_reads_a = systolic.counts.ifmap_reads;
  cost.buffer_reads_b = systolic.counts.filter_reads;
  cost.buffer_updates_z = systolic.counts.ofmap_writes;
  cost.buffer_reads_z = systolic.counts.ofmap_writes - cost.dram_updates_z;
  cost.compute_cycles = systolic.counts.busy_lines;
  mapper::add_cycles_and_energy(cost, engine);
  return systolic;
}

void put_cost(const Cost& cost, const Engine& engine, GemmResult& r) {
  const auto macs = static_cast<double>(cost.macs);
  const auto cycles = static_cast<double>(cost.cycles);
  const auto per_mac = [&](double joule) { return joule * 1e15 / macs; };
  r.cycles = cost.cycles;
  r.compute_cycles = cost.compute_cycles;
  r.utilization_percent = 100 * macs / (cycles * static_cast<double>(engine.pes()));
  r.macs = cost.macs;
  r.energy = cost.energy();
  r.energy_delay = cost.energy() * cycles;
  r.per_mac = {per_mac(cost.energy()),           per_mac(cost.mac_energy),    per_mac(cost.register_energy),
               per_mac(cost.accumulator_energy), per_mac(cost.buffer_energy), per_mac(cost.dram_energy)};
  r.dram_words = cost.dram_words();
}

void put_mapping(const mapper::Solution& solution, const Gemm& gemm, GemmResult& r) {
  const auto real = [](std::int64_t words) { return static_cast<double>(words); };
  const Cost& cost = solution.cost;
  r.dram_reads_a = real(cost.dram_reads_a);
  r.dram_reads_b = real(cost.dram_reads_b);
  r.dram_reads_z = real(cost.dram_reads_z);
  r.dram_updates_z = real(cost.dram_updates_z);
  r.buffer_reads_a = real(cost.buffer_reads_a);
  r.buffer_reads_b = real(cost.buffer_reads_b);
  r.buffer_updates_z = real(cost.buffer_updates_z);
  r.mapping = mapper::to_text(solution.mapping, gemm);
}

void put_counts(const pe_array::SystolicCost& counts, GemmResult& r) {
  const auto real = [](std::int64_t count) { return static_cast<double>(count); };
  r.folds = real(counts.folds);
  r.busy_lines = real(counts.busy_lines);
  r.total_cycles = real(counts.total_cycles);
  r.utilization = 100 * counts.utilization;
  r.mapping_efficiency = 100 * counts.mapping_efficiency;
  r.compute_utilization = 100 * counts.compute_utilization;
  r.ifmap_reads = real(counts.ifmap_reads);
  r.filter_reads = real(counts.filter_reads);
  r.ofmap_writes = real(counts.reported_ofmap_writes);
}

std::string no_mapping(const Engine& engine) {
  // The smallest tile is one word of each operand.
  return engine.buffer_words < 3
             ? fmt::format("a buffer of {} words cannot hold a word of each operand", engine.buffer_words)
             : "no mapping takes at most max_cycles";
}

class GemmSystem final : public System {
 public:
  GemmSystem() {
    add_axes(axes_, axes_.layout());
    add_metrics(metrics_, metrics_.layout());
    schema_.name = "gemm";
    schema_.main_metrics = {"cycles", "energy"};
    schema_.doc = "A GEMM on a PE array: systolic as SCALE-Sim has it, or NVDLA-style under the best mapping";
    schema_.axes = axes_.axes();
    schema_.metrics = metrics_.columns();
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    read(point);
    const GemmSettings& s = settings_;
    GemmResult result;
    if (s.dataflow) {
      const Systolic systolic = systolic_of(s.gemm, *s.dataflow, s.engine);
      put_cost(systolic.cost, s.engine, result);
      put_counts(systolic.counts, result);
    } else {
      const auto solution = best_mapping();
      if (!solution) {
        record.status = Status::infeasible;
        record.message = no_mapping(s.engine);
        return;
      }
      put_cost(solution->cost, s.engine, result);
      put_mapping(*solution, s.gemm, result);
    }
    metrics_.write(result, record);
    record.status = Status::ok;
  }

  Hash128 workload_hash(const Point& /*point*/) override { return {}; }

  void explain(const Point& point, Explanation& explanation) override {
    read(point);
    const GemmSettings& s = settings_;
    if (s.dataflow) {
      const Systolic systolic = systolic_of(s.gemm, *s.dataflow, s.engine);
      const pe_array::SystolicCost& counts = systolic.counts;
      auto& lines = explanation.section("systolic array").lines;
      lines.push_back({"folds", std::to_string(counts.folds), "one after another"});
      lines.push_back({"fold", std::to_string(counts.busy_lines / counts.folds), "cycles of each"});
      explain_cost(systolic.cost, explanation);
    } else if (const auto solution = best_mapping()) {
      explain_mapping(solution->mapping, explanation);
      explain_cost(solution->cost, explanation);
    } else {
      explanation.section("no result").lines.push_back({"reason", no_mapping(s.engine), ""});
    }
  }

 private:
  void read(const Point& point) {
    axes_.read(point, settings_);
    GemmSettings& s = settings_;
    // Counts are 64-bit integers; an operand may be moved for every multiply-accumulate, by several levels.
    constexpr double max_macs = 1e17;
    const double macs = static_cast<double>(s.gemm.m) * static_cast<double>(s.gemm.n) * static_cast<double>(s.gemm.k);
    if (macs > max_macs) throw PointError(fmt::format("{:g} multiply-accumulates: more than {:g}", macs, max_macs));
    s.engine.accumulator_words = words_in(s.accumulator_bytes);
    s.engine.buffer_words = words_in(s.buffer_bytes);
    s.engine.line_words = words_in(s.line_bytes);
  }

  std::int64_t words_in(std::int64_t bytes) const {
    const std::int64_t count = bytes / settings_.word_bytes;
    if (count == 0) {
      throw PointError(
          fmt::format("{} B do not hold a word of hardware.data.word = {} B", bytes, settings_.word_bytes));
    }
    return count;
  }

  std::optional<mapper::Solution> best_mapping() {
    const GemmSettings& s = settings_;
    const std::int64_t max_cycles = s.max_cycles == 0 ? mapper::any_cycles : s.max_cycles;
    if (s.source == MappingSource::search) return mapper_(s.gemm, s.engine, s.objective, max_cycles);
    const mapper::Mapping mapping = given_mapping();
    const Cost cost = mapper::cost_of(mapping, s.gemm, s.engine);
    if (cost.cycles > max_cycles) return std::nullopt;
    return mapper::Solution{mapping, cost};
  }

  mapper::Mapping given_mapping() const {
    const GemmSettings& s = settings_;
    try {
      const mapper::Mapping mapping = mapper::parse_mapping(s.mapping, s.gemm);
      if (mapper::is_possible(mapping, s.gemm, s.engine)) return mapping;
    } catch (const std::invalid_argument& error) {
      throw PointError(error.what());
    }
    throw PointError(
        fmt::format("mapping '{}' does not fit an array of {} x {}, accumulators of {} and a buffer of {} "
                    "words, or does not cut tiles at whole steps",
                    s.mapping, s.engine.rows, s.engine.cols, s.engine.accumulator_words, s.engine.buffer_words));
  }

  void explain_mapping(const mapper::Mapping& m, Explanation& explanation) const {
    auto& lines = explanation.section("mapping").lines;
    lines.push_back({"loops", mapper::to_text(m, settings_.gemm), "from the outside in"});
    lines.push_back({"tile", fmt::format("{} x {} x {}", m.tile.m, m.tile.n, m.tile.k), "M x N x K in the buffer"});
    lines.push_back({"strip", std::to_string(m.strip), "rows of Z in an accumulator buffer"});
    lines.push_back({"PEs", fmt::format("{} x {}", m.used_rows, m.used_cols), "K x N at a time"});
  }

  void explain_cost(const Cost& cost, Explanation& explanation) const {
    const Engine& engine = settings_.engine;
    auto& cycles = explanation.section("cycles").lines;
    const auto add_cycles = [&](const char* name, std::int64_t count, std::string note) {
      cycles.push_back({name, std::to_string(count), std::move(note)});
    };
    add_cycles("cycles", cost.cycles, "all parts overlap");
    add_cycles("compute", cost.compute_cycles, "");
    add_cycles("DRAM", mapper::transfer_cycles(cost.dram_words(), engine.dram_words_per_cycle),
               fmt::format("{} words", cost.dram_words()));
    add_cycles("buffer", mapper::transfer_cycles(cost.buffer_words(), engine.buffer_words_per_cycle),
               fmt::format("{} words", cost.buffer_words()));
    auto& energy = explanation.section("energy").lines;
    const auto add_energy = [&](const char* name, double joule) {
      energy.push_back({name, fmt::format("{:.4g} J", joule), ""});
    };
    add_energy("multipliers", cost.mac_energy);
    add_energy("registers", cost.register_energy);
    add_energy("accumulators", cost.accumulator_energy);
    add_energy("buffer", cost.buffer_energy);
    add_energy("DRAM", cost.dram_energy);
  }

  AxisTable<GemmSettings> axes_;
  MetricTable<GemmResult> metrics_;
  Schema schema_;
  GemmSettings settings_;
  mapper::Mapper mapper_;
};

}  // namespace

std::unique_ptr<System> make_gemm(const ConfigFolders& /*configs*/) { return std::make_unique<GemmSystem>(); }

}  // namespace pimsweep::systems::parts
