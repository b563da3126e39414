#include "systems/parts/gemm_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/checked.h"
#include "base/error.h"
#include "hardware/integer_math.h"
#include "hardware/pe_array/mapper/notation.h"

namespace pimsweep::systems::parts {

namespace {

namespace pe_array = hardware::pe_array;
namespace mapper = hardware::pe_array::mapper;
using mapper::Cost;
using mapper::Engine;
using pe_array::Gemm;
using pe_array::SystolicCost;

std::int64_t words_in(const GemmSettings& s, std::int64_t bytes) {
  const std::int64_t count = bytes / s.word_bytes;
  if (count == 0) {
    throw PointError(fmt::format("{} B do not hold a word of hardware.data.word = {} B", bytes, s.word_bytes));
  }
  return count;
}

/// Energy of an access of the buffer if it had `bytes`, relative to one of the rated capacity.
double relative_energy(const GemmSettings& s, std::int64_t bytes) {
  if (s.rated_bytes == 0) return 1;
  try {
    return s.sram.of(static_cast<double>(bytes)) / s.sram.of(static_cast<double>(s.rated_bytes));
  } catch (const std::invalid_argument& error) {
    throw PointError(fmt::format("hardware.energy.sram_8_kib, sram_32_kib, sram_1_mib: {}", error.what()));
  }
}

void require_countable(const Gemm& gemm, const Engine& engine) {
  // Counts are 64-bit integers; an operand may be moved for every multiply-accumulate, by several levels.
  constexpr double max_macs = 1e17;
  const double macs = static_cast<double>(gemm.m) * static_cast<double>(gemm.n) * static_cast<double>(gemm.k);
  if (macs > max_macs) throw PointError(fmt::format("{:g} multiply-accumulates: more than {:g}", macs, max_macs));
  // A ragged fold takes as long as a full one.
  constexpr double max_cycles = 1e18;
  const auto padded = [&](std::int64_t size) { return static_cast<double>(size + 2 * engine.rows + engine.cols); };
  if (const double cycles = padded(gemm.m) * padded(gemm.n) * padded(gemm.k); cycles > max_cycles) {
    throw PointError(fmt::format("a GEMM of {} x {} x {} on {} x {} PEs may take more than {:g} cycles", gemm.m, gemm.n,
                                 gemm.k, engine.rows, engine.cols, max_cycles));
  }
}

/// Energy of the SRAMs of A, B and Z by their capacities.
double systolic_sram_energy(const GemmSettings& s, const Cost& cost) {
  const auto energy = [&](std::int64_t bytes, auto... words) {
    const auto lines = static_cast<double>((hardware::ceil_div(words, s.engine.line_words) + ...));
    const double line =
        bytes == 0 ? s.engine.energy.buffer_line
                   : s.engine.energy.buffer_line * relative_energy(s, bytes) / relative_energy(s, s.buffer_bytes);
    return lines * line;
  };
  return energy(s.ifmap_bytes, cost.buffer_fills_a, cost.buffer_reads_a) +
         energy(s.filter_bytes, cost.buffer_fills_b, cost.buffer_reads_b) +
         energy(s.ofmap_bytes, cost.dram_reads_z, cost.buffer_reads_z, cost.buffer_updates_z);
}

GemmRun systolic_run(const GemmSettings& s, const Gemm& gemm) {
  GemmRun run;
  run.counts = pe_array::systolic_cost(gemm, *s.dataflow, s.engine.rows, s.engine.cols);
  Cost& cost = run.cost;
  cost.macs = gemm.m * gemm.n * gemm.k;
  cost.register_words = 3 * cost.macs;
  cost.dram_reads_a = gemm.a_words();
  // The SRAM holds the map of a convolution, and the array reads the windows from it.
  cost.buffer_fills_a = cost.dram_reads_a;
  cost.dram_reads_b = gemm.b_words();
  cost.buffer_fills_b = gemm.k * gemm.n;
  cost.dram_updates_z = gemm.m * gemm.n;
  cost.buffer_reads_a = run.counts->ifmap_reads;
  cost.buffer_reads_b = run.counts->filter_reads;
  cost.buffer_updates_z = run.counts->ofmap_writes;
  cost.buffer_reads_z = run.counts->ofmap_writes - cost.dram_updates_z;
  cost.compute_cycles = run.counts->busy_lines;
  mapper::add_cycles_and_energy(cost, s.engine);
  cost.buffer_energy = systolic_sram_energy(s, cost);
  return run;
}

mapper::Mapping given_mapping(const GemmSettings& s, const Gemm& gemm) {
  try {
    const mapper::Mapping mapping = mapper::parse_mapping(s.mapping, gemm);
    if (mapper::is_possible(mapping, gemm, s.engine)) return mapping;
  } catch (const std::invalid_argument& error) {
    throw PointError(error.what());
  }
  throw PointError(
      fmt::format("mapping '{}' does not fit an array of {} x {}, accumulators of {} and a buffer of {} "
                  "words, or does not cut tiles at whole steps",
                  s.mapping, s.engine.rows, s.engine.cols, s.engine.accumulator_words, s.engine.buffer_words));
}

constexpr std::array cost_counts{&Cost::macs,
                                 &Cost::register_words,
                                 &Cost::accumulator_words,
                                 &Cost::dram_reads_a,
                                 &Cost::dram_reads_b,
                                 &Cost::dram_reads_z,
                                 &Cost::dram_updates_z,
                                 &Cost::buffer_fills_a,
                                 &Cost::buffer_fills_b,
                                 &Cost::buffer_reads_a,
                                 &Cost::buffer_reads_b,
                                 &Cost::buffer_reads_z,
                                 &Cost::buffer_updates_z,
                                 &Cost::compute_cycles,
                                 &Cost::cycles};
constexpr std::array cost_energies{&Cost::mac_energy, &Cost::register_energy, &Cost::accumulator_energy,
                                   &Cost::buffer_energy, &Cost::dram_energy};
constexpr std::array systolic_counts{&SystolicCost::folds,
                                     &SystolicCost::busy_lines,
                                     &SystolicCost::total_cycles,
                                     &SystolicCost::ifmap_reads,
                                     &SystolicCost::filter_reads,
                                     &SystolicCost::ofmap_writes,
                                     &SystolicCost::reported_ofmap_writes};

void put_mapping(const GemmRun& run, GemmResult& r) {
  const auto real = [](std::int64_t words) { return static_cast<double>(words); };
  const Cost& cost = run.cost;
  r.dram_reads_a = real(cost.dram_reads_a);
  r.dram_reads_b = real(cost.dram_reads_b);
  r.dram_reads_z = real(cost.dram_reads_z);
  r.dram_updates_z = real(cost.dram_updates_z);
  r.buffer_reads_a = real(cost.buffer_reads_a);
  r.buffer_reads_b = real(cost.buffer_reads_b);
  r.buffer_updates_z = real(cost.buffer_updates_z);
}

}  // namespace

void complete(GemmSettings& s) {
  s.engine.accumulator_words = words_in(s, s.accumulator_bytes);
  s.engine.buffer_words = words_in(s, s.buffer_bytes);
  s.engine.line_words = words_in(s, s.line_bytes);
  s.engine.energy.buffer_line *= relative_energy(s, s.buffer_bytes);
}

std::optional<GemmRun> run_gemm(const GemmSettings& s, const Gemm& gemm, mapper::Mapper& mapper) {
  require_countable(gemm, s.engine);
  if (s.dataflow) return systolic_run(s, gemm);
  const std::int64_t max_cycles = s.max_cycles == 0 ? mapper::any_cycles : s.max_cycles;
  if (s.source == MappingSource::search) {
    const std::optional<mapper::Solution> best = mapper(gemm, s.engine, s.objective, max_cycles);
    if (!best) return std::nullopt;
    return GemmRun{best->cost, {}, best->mapping};
  }
  const mapper::Mapping mapping = given_mapping(s, gemm);
  const Cost cost = mapper::cost_of(mapping, gemm, s.engine);
  if (cost.cycles > max_cycles) return std::nullopt;
  return GemmRun{cost, {}, mapping};
}

Cost vector_cost(const GemmSettings& s, const pe_array::NetworkLayer& layer) {
  Cost cost;
  const std::int64_t words = std::max(layer.reads, layer.writes);
  cost.dram_reads_a = cost.buffer_fills_a = layer.dram_reads;
  cost.dram_updates_z = layer.dram_writes;
  cost.buffer_reads_a = layer.reads;
  cost.buffer_updates_z = layer.writes;
  cost.compute_cycles = mapper::transfer_cycles(words, s.vector_words * static_cast<double>(s.engine.cols));
  mapper::add_cycles_and_energy(cost, s.engine);
  cost.mac_energy = s.engine.energy.mac * static_cast<double>(words);
  return cost;
}

void add_run(GemmRun& sum, const GemmRun& run, std::int64_t times) {
  for (const auto count : cost_counts) sum.cost.*count = Count{run.cost.*count} * times + sum.cost.*count;
  for (const auto energy : cost_energies) sum.cost.*energy += static_cast<double>(times) * run.cost.*energy;
  if (!run.counts) return;
  if (!sum.counts) sum.counts.emplace();
  for (const auto count : systolic_counts) {
    (*sum.counts).*count = Count{(*run.counts).*count} * times + (*sum.counts).*count;
  }
}

void put_cost(const Cost& cost, const GemmSettings& s, GemmResult& r) {
  const auto macs = static_cast<double>(cost.macs);
  const auto cycles = static_cast<double>(cost.cycles);
  const auto per_mac = [&](double joule) { return joule * 1e15 / macs; };
  r.cycles = cost.cycles;
  r.compute_cycles = cost.compute_cycles;
  r.utilization_percent = 100 * macs / (cycles * static_cast<double>(s.engine.pes()));
  r.macs = cost.macs;
  r.energy = cost.energy();
  r.energy_delay = cost.energy() * cycles;
  r.per_mac = {per_mac(cost.energy()),           per_mac(cost.mac_energy),    per_mac(cost.register_energy),
               per_mac(cost.accumulator_energy), per_mac(cost.buffer_energy), per_mac(cost.dram_energy)};
  r.dram_words = cost.dram_words();
  r.sram_words = cost.buffer_words();
}

void put_run(const GemmRun& run, const GemmSettings& s, GemmResult& r) {
  r.array_cycles = run.cost.cycles;
  if (!run.counts) return put_mapping(run, r);
  const SystolicCost& counts = *run.counts;
  const auto real = [](std::int64_t count) { return static_cast<double>(count); };
  r.folds = real(counts.folds);
  r.busy_lines = real(counts.busy_lines);
  r.total_cycles = real(counts.total_cycles);
  r.utilization =
      counts.total_cycles == 0 ? 0 : 100 * real(run.cost.macs) / (real(counts.total_cycles) * real(s.engine.pes()));
  r.ifmap_reads = real(counts.ifmap_reads);
  r.filter_reads = real(counts.filter_reads);
  r.ofmap_writes = real(counts.reported_ofmap_writes);
}

std::string no_mapping(const GemmSettings& s) {
  // The smallest tile is one word of each operand.
  return s.engine.buffer_words < 3
             ? fmt::format("a buffer of {} words cannot hold a word of each operand", s.engine.buffer_words)
             : "no mapping takes at most max_cycles";
}

}  // namespace pimsweep::systems::parts
