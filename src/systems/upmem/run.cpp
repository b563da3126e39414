#include "systems/upmem/run.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>

namespace pimsweep::systems::upmem {

namespace {

/// Cycles of one element.
struct ElementCost {
  double issue = 0;
  double instructions = 0;
  double dma = 0;
  double serial = 0;
};

ElementCost element_cost(const Machine& m, const Kernel& kernel, const Choices& choices, double block_bytes) {
  const DataType type = choices.type == DataType::own ? kernel.type : choices.type;
  const double conflicts = 1 + kernel.conflicts.value_or(m.conflicts);
  const auto arithmetic = [&](DataType t) {
    return kernel.adds * m.add_cycles(t) + kernel.multiplies * m.multiply_cycles(t, kernel.operand_bits);
  };
  ElementCost cost;
  if (kernel.cycles) {
    // Measured with the kernel's own type.
    cost.issue = std::max(0.0, *kernel.cycles + arithmetic(type) - arithmetic(kernel.type));
  } else {
    cost.issue = kernel.instructions * conflicts + arithmetic(type);
  }
  cost.issue *= m.cycles_factor;
  cost.instructions = cost.issue / conflicts;
  cost.serial = kernel.serial_cycles * m.cycles_factor;
  const double scale = bytes_of(type) / bytes_of(kernel.type);
  const double moving = block_bytes / m.dma_bytes_per_cycle;
  cost.dma = scale * kernel.read_bytes / block_bytes * (m.dma_read + moving) +
             scale * kernel.write_bytes / block_bytes * (m.dma_write + moving) +
             kernel.single_dmas * (m.dma_read + m.dma_step / m.dma_bytes_per_cycle);
  return cost;
}

/// Straight lines in logarithms through points in ascending order, level beyond both ends.
Bandwidths interpolated(std::span<const double> at, std::span<const double> to, std::span<const double> from,
                        double x) {
  if (x <= at.front()) return {to.front(), from.front()};
  for (std::size_t i = 1; i < at.size(); ++i) {
    if (x > at[i]) continue;
    const double share = std::log(x / at[i - 1]) / std::log(at[i] / at[i - 1]);
    const auto between = [&](std::span<const double> rates) {
      return rates[i - 1] * std::pow(rates[i] / rates[i - 1], share);
    };
    return {between(to), between(from)};
  }
  return {to.back(), from.back()};
}

double kernel_time(const Machine& m, const Run& run, double factor, std::int64_t dpus, double scale) {
  std::array<double, bound_words.size()> bounds = run.bounds;
  for (const Bound bound : {Bound::issue, Bound::mutex, Bound::latency})
    bounds[static_cast<std::size_t>(bound)] *= factor;
  const double cycles = *std::ranges::max_element(bounds) + run.extra_cycles;
  return scale * cycles / m.clock + run.launches * m.launch(dpus);
}

void set_variables(const Kernel& kernel, const Choices& choices) {
  KernelVariables& v = kernel.variables;
  v.dpus = static_cast<double>(choices.dpus);
  v.tasklets = static_cast<double>(choices.tasklets);
  v.block_bytes = static_cast<double>(choices.block_bytes == 0 ? kernel.block_bytes : choices.block_bytes);
  v.type_bytes = bytes_of(choices.type == DataType::own ? kernel.type : choices.type);
  v.elements = kernel.value("elements");
}

}  // namespace

Bandwidths bandwidths(const Machine& m, const Host* host, std::int64_t dpus) {
  const auto count = static_cast<double>(dpus);
  if (host != nullptr) return interpolated(host->dpus, host->to, host->from, count);
  const std::array at{1.0, static_cast<double>(m.rank_dpus), static_cast<double>(m.host_full_dpus)};
  return interpolated(at, m.to_dpus, m.from_dpus, count);
}

void BandwidthTable::set(const Machine& machine) {
  const auto key = [](const Machine& m) { return std::tie(m.to_dpus, m.from_dpus, m.rank_dpus, m.host_full_dpus); };
  if (key(machine) != key(machine_)) ++round_;
  machine_ = machine;
}

const Bandwidths& BandwidthTable::on(std::int64_t dpus) {
  // Beyond this number the bandwidth no longer grows.
  const std::int64_t last = std::max(machine_.rank_dpus, machine_.host_full_dpus) + 1;
  const auto index = static_cast<std::size_t>(std::min(dpus, last));
  if (index >= entries_.size()) entries_.resize(index + 1);
  Entry& entry = entries_[index];
  if (entry.round != round_) entry = {round_, bandwidths(machine_, nullptr, static_cast<std::int64_t>(index))};
  return entry.rates;
}

double transfer_time(const Machine& m, double bandwidth, TransferMode mode, std::int64_t dpus, double bytes,
                     double calls) {
  if (bytes == 0 || calls == 0) return 0;
  const auto count = static_cast<double>(dpus);
  double rate = mode == TransferMode::serial ? m.serial : bandwidth;
  if (mode == TransferMode::broadcast) rate *= m.broadcast;
  return m.transfer_fixed + count * m.transfer_per_dpu + (calls - 1) * (m.call_fixed + count * m.call_per_dpu) +
         bytes * count / rate;
}

Run run(const Machine& m, const Host* host, const Kernel& kernel, const Choices& choices) {
  set_variables(kernel, choices);
  const KernelVariables& v = kernel.variables;
  const ElementCost cost = element_cost(m, kernel, choices, v.block_bytes);
  Run r;
  r.elements = v.elements;
  const double own_launches = std::max(1.0, kernel.value("launches"));
  r.launches = choices.launches > 0 ? choices.launches : own_launches;
  const double repeats = kernel.value("repeats");
  const double all = r.elements * repeats;
  const double grain = std::max(1.0, kernel.value("grain"));
  const double fullest = std::min(r.elements, grain * std::ceil(std::ceil(r.elements / grain) / v.tasklets)) * repeats;
  r.bounds = {all * cost.issue, all * cost.dma, all * cost.serial,
              fullest * (m.issue_interval * cost.instructions + cost.dma)};
  r.bound = static_cast<Bound>(std::ranges::max_element(r.bounds) - r.bounds.begin());
  r.extra_cycles = kernel.value("extra_cycles") * repeats;
  r.instructions = all * cost.instructions;
  const double scale = r.launches / own_launches;
  r.kernel = kernel_time(m, r, 1, choices.dpus, scale);
  r.kernel_low = kernel_time(m, r, kernel.low, choices.dpus, scale);
  r.kernel_high = kernel_time(m, r, kernel.high, choices.dpus, scale);

  r.to_bytes = kernel.value("to_bytes");
  r.from_bytes = kernel.value("from_bytes");
  r.from_calls = r.from_bytes == 0 ? 0 : kernel.value("from_calls");
  r.mram_bytes = kernel.value("mram_bytes");
  r.wram_bytes = kernel.value("wram_bytes");
  const auto mode = [&](TransferMode own) { return choices.transfer == TransferMode::own ? own : choices.transfer; };
  const Bandwidths rates = bandwidths(m, host, choices.dpus);
  r.to = transfer_time(m, rates.to, mode(kernel.to_mode), choices.dpus, r.to_bytes, kernel.value("to_calls"));
  r.from = transfer_time(m, rates.from, mode(kernel.from_mode), choices.dpus, r.from_bytes, r.from_calls);
  r.between = transfer_time(m, rates.from, TransferMode::parallel, choices.dpus, kernel.value("between_bytes"),
                            kernel.value("between_calls"));
  return r;
}

}  // namespace pimsweep::systems::upmem
