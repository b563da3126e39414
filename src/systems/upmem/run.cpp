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

/// Where a number lies among ascending ones: the index of the one below and the share of the way to the next in
/// logarithms. Beyond an end, the index of that end.
double position_of(double x, std::span<const double> at) {
  if (x <= at.front()) return 0;
  for (std::size_t i = 1; i < at.size(); ++i) {
    if (x <= at[i]) return static_cast<double>(i - 1) + std::log(x / at[i - 1]) / std::log(at[i] / at[i - 1]);
  }
  return static_cast<double>(at.size() - 1);
}

/// Binary logarithm of the step from a rate to the next.
double step_after(std::size_t index, std::span<const double> rates) {
  return index + 1 < rates.size() ? std::log2(rates[index + 1] / rates[index]) : 0;
}

/// Time of a byte at a rate on a straight line in logarithms.
double byte_time(double position, std::span<const double> rates) {
  const auto index = static_cast<std::size_t>(position);
  return std::exp2((static_cast<double>(index) - position) * step_after(index, rates)) / rates[index];
}

/// The numbers of DPUs for which the bandwidths of a machine are known.
std::array<double, 3> known_dpus(const Machine& m) {
  return {1.0, static_cast<double>(m.rank_dpus), static_cast<double>(m.host_full_dpus)};
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

void BandwidthTable::set(const Machine& machine) {
  const auto shape = [](const Machine& m) { return std::tie(m.rank_dpus, m.host_full_dpus); };
  const auto rates = [](const Machine& m) { return std::tie(m.to_dpus, m.from_dpus); };
  const bool has_other_shape = shape(machine) != shape(machine_);
  const bool has_other_rates = rates(machine) != rates(machine_);
  machine_ = machine;
  if (has_other_shape) ++shape_;
  if (has_other_shape || has_other_rates) ++round_;
  if (!has_other_rates) return;
  for (std::size_t i = 0; i < to_.size(); ++i) {
    to_[i] = {1 / machine.to_dpus[i], step_after(i, machine.to_dpus)};
    from_[i] = {1 / machine.from_dpus[i], step_after(i, machine.from_dpus)};
  }
}

const ByteTimes& BandwidthTable::on(std::int64_t dpus) {
  // Beyond this number the bandwidth no longer grows.
  const std::int64_t last = std::max(machine_.rank_dpus, machine_.host_full_dpus) + 1;
  const auto index = static_cast<std::size_t>(std::min(dpus, last));
  if (index >= entries_.size()) entries_.resize(index + 1);
  Entry& entry = entries_[index];
  if (entry.shape != shape_) {
    entry.shape = shape_;
    entry.position = position_of(static_cast<double>(index), known_dpus(machine_));
  }
  if (entry.round != round_) {
    entry.round = round_;
    const auto segment = static_cast<std::size_t>(entry.position);
    const double back = static_cast<double>(segment) - entry.position;
    const Segment& to = to_[segment];
    const Segment& from = from_[segment];
    entry.times = {to.byte_time * std::exp2(back * to.step), from.byte_time * std::exp2(back * from.step)};
  }
  return entry.times;
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
  using Numbers = std::span<const double>;
  const std::array of_machine = known_dpus(m);
  const double position = position_of(v.dpus, host == nullptr ? Numbers(of_machine) : host->dpus);
  const ByteTimes times{byte_time(position, host == nullptr ? Numbers(m.to_dpus) : host->to),
                        byte_time(position, host == nullptr ? Numbers(m.from_dpus) : host->from)};
  r.to = transfer_time(m, times.to, mode(kernel.to_mode), choices.dpus, r.to_bytes, kernel.value("to_calls"));
  r.from = transfer_time(m, times.from, mode(kernel.from_mode), choices.dpus, r.from_bytes, r.from_calls);
  r.between = transfer_time(m, times.from, TransferMode::parallel, choices.dpus, kernel.value("between_bytes"),
                            kernel.value("between_calls"));
  return r;
}

}  // namespace pimsweep::systems::upmem
