#include "systems/heteropim/operation_class.h"

namespace pimsweep::systems::heteropim {

using workload::training::OperationType;

bool is_convolution(OperationType type) {
  return type == OperationType::Conv2D || type == OperationType::Conv2DBackpropFilter ||
         type == OperationType::Conv2DBackpropInput;
}

bool is_product(OperationType type) {
  return is_convolution(type) || type == OperationType::MatMul || type == OperationType::BatchMatMul;
}

runtime::TaskKind kind_of(const workload::training::TrainingOperation& operation) {
  const workload::training::Work& work = operation.work;
  const std::int64_t simple = work.multiplications + work.additions;
  if (work.total() == 0) {
    return operation.bytes_read + operation.bytes_written == 0 || workload::training::is_source(operation.type)
               ? runtime::TaskKind::none
               : runtime::TaskKind::programmable;
  }
  const bool rearranges = is_convolution(operation.type) && operation.type != OperationType::Conv2D;
  if (work.others == 0) return rearranges ? runtime::TaskKind::recursive : runtime::TaskKind::fixed;
  return simple >= work.others ? runtime::TaskKind::recursive : runtime::TaskKind::programmable;
}

ConvolutionTensors convolution_tensors(const workload::training::TrainingGraph& graph,
                                       workload::training::OperationIndex operation) {
  const auto inputs = graph.inputs(operation);
  const workload::training::Shape& first = graph.values()[inputs[0]].shape;
  const workload::training::Shape& second = graph.values()[inputs[1]].shape;
  const workload::training::Shape& result = graph.values()[graph.at(operation).first_output].shape;
  switch (graph.at(operation).type) {
    case OperationType::Conv2DBackpropInput:
      return {.input = result, .filter = first, .output = second};
    case OperationType::Conv2DBackpropFilter:
      return {.input = first, .filter = result, .output = second};
    default:
      return {.input = first, .filter = second, .output = result};
  }
}

std::int64_t window(const workload::training::TrainingGraph& graph, workload::training::OperationIndex operation) {
  if (!is_convolution(graph.at(operation).type)) return 1;
  const workload::training::Shape filter = convolution_tensors(graph, operation).filter;
  return filter[0] * filter[1];
}

}  // namespace pimsweep::systems::heteropim
