#include "systems/heteropim/step_costs.h"

#include <algorithm>
#include <limits>

#include "hardware/hmc_logic/placement.h"
#include "systems/heteropim/cache_traffic.h"
#include "systems/heteropim/host_model.h"
#include "systems/heteropim/task_kind.h"
#include "workload/training/numbers_by_type.h"
#include "workload/training/operation_table.h"

namespace pimsweep::systems::heteropim {

namespace {

using workload::training::OperationIndex;
using workload::training::TrainingGraph;
using workload::training::TrainingOperation;
using workload::training::ValueIndex;

double bytes_of(const TrainingOperation& operation) {
  return static_cast<double>(operation.bytes_read + operation.bytes_written);
}

double simple(const TrainingOperation& operation) {
  return static_cast<double>(operation.work.multiplications + operation.work.additions);
}

/// Pairs that an operation can use: as many whole windows of a convolution's filter as fit.
std::uint32_t usable_pairs(const TrainingGraph& graph, OperationIndex operation, WindowUnits window_units,
                           std::uint32_t pairs) {
  constexpr std::int64_t max_units = std::numeric_limits<std::uint32_t>::max();
  const std::int64_t area = std::min(window(graph, operation), max_units);
  const std::int64_t each = window_units == WindowUnits::each ? 2 * area - 1 : area;
  const auto units = static_cast<std::uint32_t>(std::min(each, max_units));
  const std::uint32_t windows = std::max(1U, pairs / units) * std::min(units, pairs);
  const workload::training::Work& work = graph.at(operation).work;
  const std::int64_t results = std::max(work.multiplications, work.additions);
  return static_cast<std::uint32_t>(std::min<std::int64_t>(windows, std::max<std::int64_t>(1, results)));
}

double on_programmable(const TrainingOperation& operation, const Programmable& one, double speed, double count,
                       double stack_bandwidth) {
  const double cycles = one.cores * one.clock * speed * count;
  const double rate = reuses_operands(operation) ? one.rate * one.efficiency : one.rate / 2;
  const double compute =
      simple(operation) / (cycles * rate) + static_cast<double>(operation.work.others) / (cycles * one.other_rate);
  return std::max(compute, bytes_of(operation) / std::min(one.bandwidth * speed * count, stack_bandwidth));
}

/// Bytes that the phases of a recursive operation move. Gradients of convolutions rearrange their tensors; other
/// operations read and write the values that need more than a multiplier and an adder.
double phase_bytes(const TrainingOperation& operation) {
  constexpr double word_in_and_out = 8;
  const workload::training::ConvolutionRole role = workload::training::convolution_role(operation.type);
  return role != workload::training::ConvolutionRole::none
             ? bytes_of(operation)
             : word_in_and_out * static_cast<double>(operation.work.others);
}

/// Pairs of the fullest bank relative to the mean. Data lie in proportion to the pairs, so that all pairs end together;
/// all banks have the same bandwidth, so that the pairs of the fullest bank wait longest.
double imbalance(const Stack& stack, std::uint32_t pairs) {
  const std::vector<std::int64_t> placed = hardware::hmc_logic::place_units(stack.grid, pairs, stack.edge_bonus);
  return static_cast<double>(*std::ranges::max_element(placed) * stack.grid.banks()) / pairs;
}

using Edge = std::pair<std::uint32_t, std::uint32_t>;

void connect(const TrainingGraph& graph, runtime::TaskGraph& tasks) {
  std::vector<Edge> within;
  std::vector<Edge> carried;
  for (OperationIndex i = 0; i < graph.size(); ++i) {
    for (const OperationIndex before : graph.predecessors(i)) within.emplace_back(before, i);
    if (!workload::training::is_update(graph.at(i).type)) continue;
    for (const ValueIndex value : graph.inputs(i)) {
      const OperationIndex producer = graph.values()[value].producer;
      if (graph.at(producer).type == workload::training::OperationType::VariableV2) carried.emplace_back(i, producer);
    }
  }
  tasks.connect(within, carried);
}

/// Bandwidths in bytes per second, and rates, that the operations of a step share.
struct Rates {
  double stack = 0;
  /// Main memory of the host.
  double host = 0;
  /// Part of the stack's bandwidth for one programmable PIM.
  double programmable = 0;
  /// Results of a pair in a second.
  double pair = 0;
  /// With operands from the bank of each pair: pairs of the fullest bank relative to the mean.
  double imbalance = 0;
};

// Processors together never request more than the stack's bandwidth: the link for half of it at most, the programmable
// PIMs for equal parts of the rest.
Rates rates_of(const Settings& settings, MainMemory memory, std::uint32_t pairs) {
  const Machine& machine = settings.machine;
  const double speed = settings.speed();
  Rates rates;
  rates.stack = machine.stack.bandwidth * speed;
  const double link = std::min(machine.stack.link_bandwidth, rates.stack / 2);
  rates.host = memory == MainMemory::own ? machine.host.memory_bandwidth : link;
  rates.programmable = std::min(machine.programmable.bandwidth * speed, (rates.stack - link) / settings.programmable);
  rates.pair = machine.pairs.clock * speed;
  if (settings.operands == Operands::bank && pairs > 0) rates.imbalance = imbalance(machine.stack, pairs);
  return rates;
}

void cost_on_pairs(const TrainingGraph& graph, OperationIndex i, const Rates& rates, WindowUnits window_units,
                   std::uint32_t pairs, runtime::Task& task) {
  const TrainingOperation& operation = graph.at(i);
  const auto results = static_cast<double>(std::max(operation.work.multiplications, operation.work.additions));
  task.pairs = usable_pairs(graph, i, window_units, pairs);
  task.streaming = bytes_of(operation) / rates.stack;
  // Units that wait for their own bank are of no use to other operations.
  task.pair_work = std::max(results / rates.pair, task.streaming * pairs * rates.imbalance);
}

void cost_of_phases(const TrainingOperation& operation, const Settings& settings, const Rates& rates,
                    runtime::Task& task) {
  const auto others = static_cast<double>(operation.work.others);
  const Programmable& near = settings.machine.programmable;
  const Host& host = settings.machine.host;
  task.phases_on_programmable = std::max(phase_bytes(operation) / rates.programmable,
                                         others / (near.cores * near.clock * settings.speed() * near.other_rate));
  task.phase_streaming = phase_bytes(operation) / rates.stack;
  task.phases_on_host = std::max(phase_bytes(operation) / (rates.host * host.memory_efficiency),
                                 others / (host.cores * host.clock * host.other_rate)) +
                        2 * host.dispatch;
}

}  // namespace

StepCosts step_costs(const TrainingGraph& graph, const Settings& settings, MainMemory memory, std::uint32_t pairs) {
  const std::vector<double> factors = workload::training::numbers_by_type(settings.kernel_factors, "kernel_factors", 1);
  using runtime::TaskKind;
  const Machine& machine = settings.machine;
  const Rates rates = rates_of(settings, memory, pairs);
  const std::vector<double> traffic = cache_traffic(graph, machine.host.last_cache);
  const HostModel host(machine.host, rates.host);
  StepCosts costs;
  for (OperationIndex i = 0; i < graph.size(); ++i) {
    const TrainingOperation& operation = graph.at(i);
    runtime::Task task;
    task.kind = kind_of(operation);
    if (settings.pair_operations == PairOperations::gemms && task.kind != TaskKind::none &&
        !reuses_operands(operation)) {
      task.kind = TaskKind::programmable;
    }
    costs.tensor_bytes.push_back(bytes_of(operation));
    costs.simple_work.push_back(simple(operation));
    costs.host_bytes.push_back(task.kind == TaskKind::none ? 0 : host.memory_bytes(operation, traffic[i]));
    if (task.kind != TaskKind::none) {
      const HostTime time = host.time(operation, traffic[i]);
      const double factor = factors[static_cast<std::size_t>(operation.type)];
      task.host = time.seconds * factor;
      task.host_movement = time.movement * factor;
      task.programmable =
          factor * on_programmable(operation, machine.programmable, settings.speed(), 1, rates.programmable);
      task.programmable_streaming = bytes_of(operation) / rates.stack;
      if (memory == MainMemory::stack) task.host_streaming = costs.host_bytes[i] / rates.stack;
    }
    const bool multiplies = task.kind == TaskKind::fixed || task.kind == TaskKind::recursive;
    if (pairs > 0 && multiplies) cost_on_pairs(graph, i, rates, settings.window_units, pairs, task);
    if (task.kind == TaskKind::recursive) cost_of_phases(operation, settings, rates, task);
    costs.graph.tasks.push_back(task);
  }
  connect(graph, costs.graph);
  return costs;
}

void run_on_programmable(const TrainingGraph& graph, const Settings& settings, StepCosts& costs) {
  const Machine& machine = settings.machine;
  const double speed = settings.speed();
  const std::vector<double> factors = workload::training::numbers_by_type(settings.kernel_factors, "kernel_factors", 1);
  for (OperationIndex i = 0; i < graph.size(); ++i) {
    runtime::Task& task = costs.graph.tasks[i];
    if (task.kind == runtime::TaskKind::none) continue;
    task.kind = runtime::TaskKind::programmable;
    task.programmable = factors[static_cast<std::size_t>(graph.at(i).type)] *
                        on_programmable(graph.at(i), machine.programmable, speed, settings.programmable,
                                        machine.stack.bandwidth * speed);
  }
}

void run_on_neurocube(const TrainingGraph& graph, const Machine& machine, StepCosts& costs) {
  const Neurocube& cube = machine.neurocube;
  for (OperationIndex i = 0; i < graph.size(); ++i) {
    runtime::Task& task = costs.graph.tasks[i];
    if (task.kind == runtime::TaskKind::none) continue;
    const workload::training::Work& work = graph.at(i).work;
    task.kind = runtime::TaskKind::programmable;
    // A multiply-accumulate unit takes one operation of any kind in a cycle.
    const auto cycles = static_cast<double>(std::max(work.multiplications, work.additions) + work.others);
    task.programmable =
        std::max(cycles / (cube.macs * cube.clock * cube.efficiency), bytes_of(graph.at(i)) / machine.stack.bandwidth);
  }
}

}  // namespace pimsweep::systems::heteropim
