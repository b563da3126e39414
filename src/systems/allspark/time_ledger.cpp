#include "systems/allspark/time_ledger.h"

#include <fmt/format.h>

#include <cmath>

#include "hardware/acu.h"
#include "hardware/integer_math.h"

namespace pimsweep::systems::allspark {

const hardware::pe_array::GemmMapping& GemmCache::map(const hardware::pe_array::Gemm& gemm,
                                                      const hardware::pe_array::PeArray& array) {
  if (array_ != array) {
    mappings_.clear();
    array_ = array;
  }
  return mappings_.get(gemm, [&] { return hardware::pe_array::map_gemm(gemm, array); });
}

TimeShares& TimeShares::operator+=(const TimeShares& other) {
  compute += other.compute;
  nonlinear += other.nonlinear;
  transfer += other.transfer;
  weight_sharing += other.weight_sharing;
  return *this;
}

TimeShares operator*(std::int64_t times, const TimeShares& shares) {
  return {times * shares.compute, times * shares.nonlinear, times * shares.transfer, times * shares.weight_sharing};
}

WordVolume& WordVolume::operator+=(const WordVolume& other) {
  gemms += other.gemms;
  buffer += other.buffer;
  registers += other.registers;
  accumulators += other.accumulators;
  transfer += other.transfer;
  weight_sharing += other.weight_sharing;
  return *this;
}

WordVolume operator*(std::int64_t times, const WordVolume& volume) {
  return {times * volume.gemms,        times * volume.buffer,   times * volume.registers,
          times * volume.accumulators, times * volume.transfer, times * volume.weight_sharing};
}

void TimeLedger::charge(const Phase& phase) {
  switch (phase.unit) {
    case Phase::Unit::compute:
      shares_.compute += phase.cycles;
      break;
    case Phase::Unit::nonlinear:
      shares_.nonlinear += phase.cycles;
      break;
    case Phase::Unit::transfer:
      shares_.transfer += phase.cycles;
      break;
    case Phase::Unit::weight_sharing:
      shares_.weight_sharing += phase.cycles;
      break;
  }
  if (phases_ != nullptr) phases_->push_back(phase);
}

void TimeLedger::note(std::string_view phase, std::string_view value, std::int64_t cycles) {
  notes_->lines.push_back({std::string(phase), std::string(value), fmt::format("{} cycles", cycles)});
}

std::int64_t TimeLedger::transfer_cycles(std::int64_t words) const {
  const double bytes = static_cast<double>(words) * machine_.word_bytes;
  return Count::of(std::ceil(bytes * machine_.transfer_cycles_per_byte()));
}

void TimeLedger::gemm(std::string_view phase, const hardware::pe_array::Gemm& gemm, std::int64_t repeats) {
  const hardware::pe_array::GemmMapping& mapping = gemms_.map(gemm, pe_array_);
  const std::int64_t cycles =
      Count{repeats} * (layer_.phases == nullptr ? mapping.cycles : layer_.phases->gemm_cycles(gemm, mapping));
  charge({phase, Phase::Unit::compute, cycles});
  volume_.gemms += Count{repeats} * mapping.dram_words;
  // The counts of hardware/pe_array/mapper/mapping.cpp: A passes once for each step over N, B once for each strip of
  // rows that the accumulators hold, a sum is written in each step over K and read in all but the first.
  const Count weights = Count{gemm.k} * gemm.n * hardware::ceil_div(gemm.m, machine_.accumulators);
  const Count results = Count{gemm.m} * gemm.n;
  volume_.buffer += repeats * (Count{gemm.m} * gemm.k * hardware::ceil_div(gemm.n, mapping.used_cols) +
                               mapping.dram_words + weights + results);
  volume_.registers += repeats * (results * gemm.k + weights);
  volume_.accumulators += repeats * results * (2 * hardware::ceil_div(gemm.k, mapping.used_rows) - 1);
  if (notes_ == nullptr) return;
  note(phase,
       fmt::format("{}[{} x {} x {}], tile {} x {} x {}, {}, {} compute cycles, {} DRAM words",
                   repeats > 1 ? fmt::format("{} of ", repeats) : "", gemm.m, gemm.k, gemm.n, mapping.tile.m,
                   mapping.tile.k, mapping.tile.n, hardware::pe_array::name_of(mapping.stationary),
                   mapping.compute_cycles, mapping.dram_words),
       cycles);
}

void TimeLedger::macs(std::string_view phase, double count) {
  if (count <= 0) return;
  const std::int64_t cycles = Count::of(std::ceil(count / static_cast<double>(pe_array_.pes())));
  charge({phase, Phase::Unit::compute, cycles});
  if (notes_ != nullptr) note(phase, fmt::format("{} multiply-accumulates", count), cycles);
}

void TimeLedger::nonlinear(std::string_view phase, std::int64_t elements, std::int64_t passes) {
  const std::int64_t cycles = hardware::acu_cycles(elements, passes, machine_.acu.lanes);
  charge({phase, Phase::Unit::nonlinear, cycles});
  if (notes_ != nullptr) note(phase, fmt::format("{} elements x {} passes", elements, passes), cycles);
}

void TimeLedger::transfer(std::string_view phase, std::initializer_list<cycle::Movement> movements) {
  Count words = 0;
  for (const cycle::Movement& movement : movements) words += movement.words;
  if (words <= 0) return;
  const std::int64_t cycles = movement_cycles(words, movements);
  charge({phase, Phase::Unit::transfer, cycles, words});
  volume_.transfer += words;
  if (notes_ != nullptr) note(phase, fmt::format("{} words", words), cycles);
}

void TimeLedger::share_weights(std::string_view phase, const cycle::Movement& movement) {
  if (movement.words <= 0) return;
  const std::int64_t cycles = movement_cycles(movement.words, {movement});
  charge({phase, Phase::Unit::weight_sharing, cycles, movement.words});
  volume_.weight_sharing += movement.words;
  if (notes_ != nullptr) note(phase, fmt::format("{} words", movement.words), cycles);
}

std::int64_t TimeLedger::movement_cycles(std::int64_t words, std::initializer_list<cycle::Movement> movements) const {
  if (layer_.phases == nullptr) return transfer_cycles(words);
  Count cycles = 0;
  for (const cycle::Movement& movement : movements) {
    if (movement.words <= 0) continue;
    cycles += layer_.phases->movement_cycles(layer_.partition, layer_.branches, movement);
  }
  return cycles;
}

}  // namespace pimsweep::systems::allspark
