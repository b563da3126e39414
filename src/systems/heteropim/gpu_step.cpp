#include "systems/heteropim/gpu_step.h"

#include <algorithm>
#include <cmath>

#include "hardware/gpu/gpu_model.h"
#include "systems/heteropim/task_kind.h"
#include "workload/training/operation_table.h"

namespace pimsweep::systems::heteropim {

namespace {

using workload::training::ConvolutionRole;
using workload::training::OperationIndex;
using workload::training::OperationType;
using workload::training::TrainingGraph;
using workload::training::TrainingOperation;
using workload::training::ValueIndex;

hardware::gpu::ConvolutionShape convolution_shape(const workload::training::ConvolutionTensors& tensors) {
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

hardware::gpu::Pass pass_of(ConvolutionRole role) {
  if (role == ConvolutionRole::forward) return hardware::gpu::Pass::forward;
  return role == ConvolutionRole::filter_gradient ? hardware::gpu::Pass::backward_weights
                                                  : hardware::gpu::Pass::backward_inputs;
}

/// The kernel of anything but a convolution.
hardware::gpu::KernelCost kernel(const hardware::gpu::GpuModel& gpu, const TrainingGraph& graph, OperationIndex i) {
  const TrainingOperation& operation = graph.at(i);
  if (reuses_operands(operation)) {
    // The GEMMs of a batch are one GEMM with all rows.
    const workload::training::Shape& result = graph.values()[operation.first_output].shape;
    const std::int64_t all_rows = result.elements() / result.last();
    const auto rows = static_cast<double>(all_rows);
    const auto columns = static_cast<double>(result.last());
    return gpu.gemm(precision, rows, columns, static_cast<double>(operation.work.multiplications) / (rows * columns));
  }
  // All data pass once; an element is one word in and one word out.
  constexpr double bytes_per_element = 8;
  return gpu.elementwise(precision,
                         static_cast<double>(operation.bytes_read + operation.bytes_written) / bytes_per_element, 1);
}

Copies copies_of(const TrainingGraph& graph, double gpu_memory) {
  // A tensor lives from its producer to its last reader; variables and fed tensors live throughout.
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
    result.max_footprint = std::max(result.max_footprint, held);
  }
  result.swapped = 2 * std::max(0.0, result.max_footprint - gpu_memory);
  return result;
}

}  // namespace

double GpuStep::exposed_copy_time(double step, double bandwidth) const {
  return std::max(0.0, copies.fed / bandwidth - step) + copies.swapped / bandwidth;
}

GpuStep run_on_gpu(const TrainingGraph& graph, const Machine& machine, StepCosts& costs) {
  const hardware::gpu::GpuModel gpu(machine.gpu.device());
  GpuStep step;
  step.copies = copies_of(graph, machine.gpu.memory);
  for (OperationIndex i = 0; i < graph.size(); ++i) {
    runtime::Task& task = costs.graph.tasks[i];
    if (task.kind == runtime::TaskKind::none) continue;
    hardware::gpu::KernelCost cost;
    const ConvolutionRole role = workload::training::convolution_role(graph.at(i).type);
    if (role != ConvolutionRole::none) {
      const hardware::gpu::ConvolutionShape shape = convolution_shape(convolution_tensors(graph, i));
      cost = gpu.convolution(precision, shape, pass_of(role));
      step.convolutions.push_back({shape, pass_of(role), cost.seconds});
    } else {
      cost = kernel(gpu, graph, i);
    }
    task.kind = runtime::TaskKind::programmable;
    task.programmable = std::max(0.0, cost.seconds - machine.gpu.device().launch);
    step.kernels.then(cost);
  }
  return step;
}

}  // namespace pimsweep::systems::heteropim
