#include "hardware/pe_array/mapper/mapping.h"

#include <algorithm>
#include <cmath>

namespace pimsweep::hardware::pe_array::mapper {

namespace {

/// Steps of all tiles together: a ragged tile has fewer.
std::int64_t all_steps(std::int64_t whole, std::int64_t tile, std::int64_t step) {
  return whole / tile * ceil_div(tile, step) + ceil_div(whole % tile, step);
}

/// From the inside out: a loop over one of the operand's own indices has been met, and a loop over the index that it
/// does not have was met after it.
struct Reuse {
  bool met_own = false;
  bool repeated = false;

  void pass(const LoopOrder& order, const Gemm& whole, const Gemm& part, Loop lacked) {
    repeated = false;
    for (auto loop = order.rbegin(); loop != order.rend(); ++loop) {
      if (trips(whole, part, *loop) == 1) continue;
      if (*loop == lacked) {
        repeated = met_own;
      } else {
        met_own = true;
      }
    }
  }
};

bool is_whole_or_multiple(std::int64_t size, std::int64_t unit, std::int64_t whole) {
  return size >= 1 && size <= whole && (size == whole || size % unit == 0);
}

}  // namespace

bool is_possible(const Mapping& mapping, const Gemm& gemm, const Engine& engine) {
  const Gemm& t = mapping.tile;
  return mapping.used_rows >= 1 && mapping.used_rows <= std::min(engine.rows, gemm.k) && mapping.used_cols >= 1 &&
         mapping.used_cols <= std::min(engine.cols, gemm.n) && t.m >= 1 && t.m <= gemm.m && mapping.strip >= 1 &&
         mapping.strip <= std::min(engine.accumulator_words, t.m) &&
         is_whole_or_multiple(t.n, mapping.used_cols, gemm.n) && is_whole_or_multiple(t.k, mapping.used_rows, gemm.k) &&
         t.m * t.k + t.k * t.n + t.m * t.n <= engine.buffer_words;
}

Repeats repeats_of(const Mapping& mapping, const Gemm& gemm) {
  const Gemm& tile = mapping.tile;
  const Gemm step = mapping.step();
  const auto of_buffer = [&](Loop lacked) {
    Reuse reuse;
    reuse.pass(mapping.dram_order, gemm, tile, lacked);
    return reuse.repeated ? trips(gemm, tile, lacked) : 1;
  };
  // Below the buffer the loops of both levels count, the inner level first.
  const auto of_array = [&](Loop lacked, std::int64_t steps) {
    Reuse reuse;
    reuse.pass(mapping.buffer_order, tile, step, lacked);
    if (reuse.repeated) return steps;
    reuse.pass(mapping.dram_order, gemm, tile, lacked);
    return reuse.repeated ? trips(gemm, tile, lacked) : 1;
  };
  return {of_buffer(Loop::n), of_buffer(Loop::m), of_buffer(Loop::k),
          of_array(Loop::m, all_steps(gemm.m, tile.m, mapping.strip)),
          of_array(Loop::k, all_steps(gemm.k, tile.k, mapping.used_rows))};
}

std::int64_t Cost::buffer_words() const {
  return buffer_fills_a + buffer_fills_b + dram_reads_z + buffer_reads_a + buffer_reads_b + buffer_reads_z +
         buffer_updates_z;
}

std::int64_t transfer_cycles(std::int64_t words, double words_per_cycle) {
  return words_per_cycle > 0 ? Count::of(std::ceil(static_cast<double>(words) / words_per_cycle)) : Count{};
}

void add_cycles_and_energy(Cost& cost, const Engine& engine) {
  cost.cycles = std::max({cost.compute_cycles, transfer_cycles(cost.dram_words(), engine.dram_words_per_cycle),
                          transfer_cycles(cost.buffer_words(), engine.buffer_words_per_cycle)});

  const auto lines = [&](auto... words) { return static_cast<double>((ceil_div(words, engine.line_words) + ...)); };
  cost.mac_energy = engine.energy.mac * static_cast<double>(cost.macs);
  cost.register_energy = engine.energy.register_word * static_cast<double>(cost.register_words);
  cost.accumulator_energy = engine.energy.accumulator_word * static_cast<double>(cost.accumulator_words);
  cost.buffer_energy = engine.energy.buffer_line * lines(cost.buffer_fills_a, cost.buffer_fills_b, cost.dram_reads_z,
                                                         cost.buffer_reads_a, cost.buffer_reads_b, cost.buffer_reads_z,
                                                         cost.buffer_updates_z);
  cost.dram_energy =
      engine.energy.dram_line * lines(cost.dram_reads_a, cost.dram_reads_b, cost.dram_reads_z, cost.dram_updates_z);
}

Cost cost_of(const Repeats& repeats, std::int64_t used_rows, std::int64_t used_cols, const Gemm& gemm,
             const Engine& engine) {
  const std::int64_t a = gemm.m * gemm.k;
  const std::int64_t b = gemm.k * gemm.n;
  const std::int64_t z = gemm.m * gemm.n;
  const std::int64_t k_steps = ceil_div(gemm.k, used_rows);
  const std::int64_t n_steps = ceil_div(gemm.n, used_cols);
  Cost cost;
  cost.macs = a * gemm.n;
  cost.dram_reads_a = gemm.a_words() * repeats.a;
  cost.buffer_fills_a = a * repeats.a;
  cost.dram_reads_b = gemm.b_words() * repeats.b;
  cost.buffer_fills_b = b * repeats.b;
  cost.dram_reads_z = z * (repeats.z - 1);
  cost.dram_updates_z = z * repeats.z;
  cost.buffer_reads_a = a * n_steps;
  cost.buffer_reads_b = b * repeats.weights;
  cost.buffer_reads_z = z * (repeats.sums - 1);
  cost.buffer_updates_z = z * repeats.sums;
  cost.register_words = cost.macs + cost.buffer_reads_b;
  // Each step adds to a sum: one write, and one read except for the very first; a sum that is read back is also
  // written.
  cost.accumulator_words = z * (2 * k_steps - 1) + cost.buffer_reads_z;

  cost.compute_cycles = gemm.m * k_steps * n_steps;
  add_cycles_and_energy(cost, engine);
  return cost;
}

Cost cost_of(const Mapping& mapping, const Gemm& gemm, const Engine& engine) {
  return cost_of(repeats_of(mapping, gemm), mapping.used_rows, mapping.used_cols, gemm, engine);
}

}  // namespace pimsweep::hardware::pe_array::mapper
