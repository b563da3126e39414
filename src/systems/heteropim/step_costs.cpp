#include "systems/heteropim/step_costs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hardware/hmc_logic/placement.h"
#include "systems/heteropim/cache_traffic.h"
#include "systems/heteropim/host_model.h"
#include "systems/heteropim/operation_class.h"

namespace pimsweep::systems::heteropim {

namespace {

using workload::training::OperationIndex;
using workload::training::OperationType;
using workload::training::TrainingGraph;
using workload::training::TrainingOperation;
using workload::training::ValueIndex;

double bytes_of(const TrainingOperation& operation) {
  return static_cast<double>(operation.bytes_read + operation.bytes_written);
}

double simple(const TrainingOperation& operation) {
  return static_cast<double>(operation.work.multiplications + operation.work.additions);
}

/// Pairs that an operation can use: whole windows of a convolution's filter, as many as fit.
std::uint32_t usable_pairs(const TrainingGraph& graph, OperationIndex operation, std::uint32_t pairs) {
  const auto area = static_cast<std::uint32_t>(window(graph, operation));
  const std::uint32_t windows = std::max(1U, pairs / area) * std::min(area, pairs);
  const workload::training::Work& work = graph.at(operation).work;
  const std::int64_t results = std::max(work.multiplications, work.additions);
  return static_cast<std::uint32_t>(std::min<std::int64_t>(windows, std::max<std::int64_t>(1, results)));
}

double on_programmable(const TrainingOperation& operation, const Programmable& one, double speed, double count,
                       double stack_bandwidth) {
  const double cycles = one.cores * one.clock * speed * count;
  const double rate = is_product(operation.type) ? one.rate * one.efficiency : one.rate / 2;
  const double compute =
      simple(operation) / (cycles * rate) + static_cast<double>(operation.work.others) / (cycles * one.other_rate);
  return std::max(compute, bytes_of(operation) / std::min(one.bandwidth * speed * count, stack_bandwidth));
}

/// What the programmable part of a recursive operation handles: the gradients of convolutions rearrange their tensors,
/// others take the values that need more than a multiplier and an adder in and out.
double phase_bytes(const TrainingOperation& operation) {
  constexpr double in_and_out = 8;
  return is_convolution(operation.type) ? bytes_of(operation) : in_and_out * static_cast<double>(operation.work.others);
}

/// Pairs of the fullest bank by those of the mean one. Data lie in proportion to the pairs, so that these end together;
/// banks have the same bandwidth each, so that the fullest one's pairs wait longest.
double fullest_bank(const Stack& stack, std::uint32_t pairs) {
  const hardware::hmc_logic::BankGrid grid{.columns = static_cast<std::int64_t>(stack.banks_across),
                                           .rows = static_cast<std::int64_t>(stack.banks_along)};
  const std::vector<std::int64_t> placed = hardware::hmc_logic::place_units(grid, pairs, stack.edge_bonus);
  return static_cast<double>(*std::ranges::max_element(placed) * grid.banks()) / pairs;
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
      if (graph.at(producer).type == OperationType::VariableV2) carried.emplace_back(i, producer);
    }
  }
  tasks.connect(within, carried);
}

hardware::gpu::ConvolutionShape convolution_shape(const ConvolutionTensors& tensors) {
  const auto real = [](std::int64_t value) { return static_cast<double>(value); };
  // The padding that gives this output: (output - 1) x stride + filter - input, on both sides together.
  const auto stride = [](double in, double out) { return std::max(1.0, std::round(in / out)); };
  hardware::gpu::ConvolutionShape shape{.width = real(tensors.input[2]),
                                        .height = real(tensors.input[1]),
                                        .channels = real(tensors.filter[2]),
                                        .batch = real(tensors.input[0]),
                                        .filters = real(tensors.filter[3]),
                                        .filter_height = real(tensors.filter[0]),
                                        .filter_width = real(tensors.filter[1])};
  const double rows = real(tensors.output[1]);
  const double columns = real(tensors.output[2]);
  shape.stride_height = stride(shape.height, rows);
  shape.stride_width = stride(shape.width, columns);
  shape.pad_height = std::max(0.0, ((rows - 1) * shape.stride_height + shape.filter_height - shape.height) / 2);
  shape.pad_width = std::max(0.0, ((columns - 1) * shape.stride_width + shape.filter_width - shape.width) / 2);
  return shape;
}

constexpr hardware::gpu::Precision precision = hardware::gpu::Precision::fp32;

hardware::gpu::Pass pass_of(OperationType convolution) {
  if (convolution == OperationType::Conv2D) return hardware::gpu::Pass::forward;
  return convolution == OperationType::Conv2DBackpropFilter ? hardware::gpu::Pass::backward_weights
                                                            : hardware::gpu::Pass::backward_inputs;
}

/// Of anything but a convolution.
hardware::gpu::KernelCost kernel(const hardware::gpu::GpuModel& card, const TrainingGraph& graph, OperationIndex i) {
  const TrainingOperation& operation = graph.at(i);
  if (is_product(operation.type)) {
    // Products of a batch are one with all their rows.
    const workload::training::Shape& result = graph.values()[operation.first_output].shape;
    const auto rows = static_cast<double>(result.elements() / result.last());
    const auto columns = static_cast<double>(result.last());
    return card.gemm(precision, rows, columns, static_cast<double>(operation.work.multiplications) / (rows * columns));
  }
  // Data pass once; one word in and one out are two bytes' worth of four.
  constexpr double bytes_of_an_element = 8;
  return card.elementwise(precision, bytes_of(operation) / bytes_of_an_element, 1);
}

}  // namespace

StepCosts step_costs(const TrainingGraph& graph, const Machine& machine, MainMemory memory, const LogicDie& die) {
  StepCosts costs;
  const std::vector<double> traffic = cache_traffic(graph, machine.host.last_cache);
  const double stack_bandwidth = machine.stack.bandwidth * die.speed;
  // Processors together never ask for more than the stack has: the link for half of it at most, the programmable PIMs
  // for equal parts of the rest.
  const double link = std::min(machine.stack.link_bandwidth, stack_bandwidth / 2);
  const double bandwidth = memory == MainMemory::own ? machine.host.memory_bandwidth : link;
  const double near_bandwidth =
      std::min(machine.programmable.bandwidth * die.speed, (stack_bandwidth - link) / die.programmable);
  const HostModel host(machine.host, bandwidth);
  const double pair_rate = machine.pairs.clock * die.speed;
  const double own_bank = die.operands == Operands::bank && die.pairs > 0 ? fullest_bank(machine.stack, die.pairs) : 0;
  for (OperationIndex i = 0; i < graph.size(); ++i) {
    const TrainingOperation& operation = graph.at(i);
    runtime::Task task;
    task.kind = kind_of(operation);
    costs.tensor_bytes.push_back(bytes_of(operation));
    costs.simple_work.push_back(simple(operation));
    costs.host_bytes.push_back(task.kind == runtime::TaskKind::none ? 0 : host.memory_bytes(operation, traffic[i]));
    if (task.kind != runtime::TaskKind::none) {
      const HostTime time = host.time(operation, traffic[i]);
      task.host = time.seconds;
      task.host_movement = time.movement;
      task.programmable = on_programmable(operation, machine.programmable, die.speed, 1, near_bandwidth);
      task.programmable_streaming = bytes_of(operation) / stack_bandwidth;
      if (memory == MainMemory::stack) task.host_streaming = costs.host_bytes[i] / stack_bandwidth;
    }
    if (die.pairs > 0 && (task.kind == runtime::TaskKind::fixed || task.kind == runtime::TaskKind::recursive)) {
      const auto results = static_cast<double>(std::max(operation.work.multiplications, operation.work.additions));
      task.pairs = usable_pairs(graph, i, die.pairs);
      task.streaming = bytes_of(operation) / stack_bandwidth;
      // Units that wait for their own bank are of no use to others.
      task.pair_work = std::max(results / pair_rate, task.streaming * die.pairs * own_bank);
    }
    if (task.kind == runtime::TaskKind::recursive) {
      const auto others = static_cast<double>(operation.work.others);
      const Programmable& near = machine.programmable;
      task.phases_on_programmable = std::max(phase_bytes(operation) / near_bandwidth,
                                             others / (near.cores * near.clock * die.speed * near.other_rate));
      task.phase_streaming = phase_bytes(operation) / stack_bandwidth;
      task.phases_on_host = std::max(phase_bytes(operation) / (bandwidth * machine.host.memory_efficiency),
                                     others / (machine.host.cores * machine.host.clock * machine.host.other_rate)) +
                            2 * machine.host.dispatch;
    }
    costs.graph.tasks.push_back(task);
  }
  connect(graph, costs.graph);
  return costs;
}

void run_on_programmable(const TrainingGraph& graph, const Machine& machine, double speed, double count,
                         StepCosts& costs) {
  for (OperationIndex i = 0; i < graph.size(); ++i) {
    runtime::Task& task = costs.graph.tasks[i];
    if (task.kind == runtime::TaskKind::none) continue;
    task.kind = runtime::TaskKind::programmable;
    task.programmable =
        on_programmable(graph.at(i), machine.programmable, speed, count, machine.stack.bandwidth * speed);
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

CardStep run_on_gpu(const TrainingGraph& graph, const Machine& machine, StepCosts& costs) {
  const hardware::gpu::GpuModel card(machine.gpu.device);
  CardStep step;
  for (OperationIndex i = 0; i < graph.size(); ++i) {
    runtime::Task& task = costs.graph.tasks[i];
    if (task.kind == runtime::TaskKind::none) continue;
    hardware::gpu::KernelCost cost;
    if (is_convolution(graph.at(i).type)) {
      const hardware::gpu::ConvolutionShape shape = convolution_shape(convolution_tensors(graph, i));
      const hardware::gpu::Pass pass = pass_of(graph.at(i).type);
      cost = card.convolution(precision, shape, pass);
      step.convolutions.push_back({shape, pass, cost.seconds});
    } else {
      cost = kernel(card, graph, i);
    }
    task.kind = runtime::TaskKind::programmable;
    task.programmable = std::max(0.0, cost.seconds - machine.gpu.device.launch);
    step.kernels.then(cost);
  }
  return step;
}

Copies copies(const TrainingGraph& graph, double card_memory) {
  // A tensor is there from its producer to its last reader; variables and what is fed are there throughout.
  std::vector<OperationIndex> last(graph.values().size(), 0);
  for (OperationIndex i = 0; i < graph.size(); ++i) {
    for (const ValueIndex value : graph.inputs(i)) last[value] = i;
  }
  std::vector<double> change(graph.size() + 1);
  Copies result;
  double held = 0;
  for (ValueIndex value = 0; value < last.size(); ++value) {
    const OperationIndex producer = graph.values()[value].producer;
    const auto bytes = static_cast<double>(graph.values()[value].bytes());
    if (workload::training::is_view(graph.at(producer).type)) continue;
    if (workload::training::is_source(graph.at(producer).type)) {
      held += bytes;
      if (graph.at(producer).type == OperationType::Placeholder) result.fed += bytes;
      continue;
    }
    change[producer] += bytes;
    change[std::max(producer, last[value]) + 1] -= bytes;
  }
  for (OperationIndex i = 0; i < graph.size(); ++i) {
    held += change[i];
    result.largest_footprint = std::max(result.largest_footprint, held);
  }
  result.swapped = 2 * std::max(0.0, result.largest_footprint - card_memory);
  return result;
}

}  // namespace pimsweep::systems::heteropim
