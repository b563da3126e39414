#include "systems/heteropim/operation_class.h"

namespace pimsweep::heteropim {

using workload::OperationType;

bool is_convolution(OperationType type) {
  return type == OperationType::Conv2D || type == OperationType::Conv2DBackpropFilter ||
         type == OperationType::Conv2DBackpropInput;
}

bool is_product(OperationType type) {
  return is_convolution(type) || type == OperationType::MatMul || type == OperationType::BatchMatMul;
}

TaskKind kind_of(const workload::TrainingOperation& operation) {
  const workload::Work& work = operation.work;
  const std::int64_t simple = work.multiplications + work.additions;
  if (work.total() == 0) {
    return operation.bytes_read + operation.bytes_written == 0 || workload::is_source(operation.type)
               ? TaskKind::none
               : TaskKind::programmable;
  }
  const bool rearranges = is_convolution(operation.type) && operation.type != OperationType::Conv2D;
  if (work.others == 0) return rearranges ? TaskKind::recursive : TaskKind::fixed;
  return simple >= work.others ? TaskKind::recursive : TaskKind::programmable;
}

ConvolutionTensors convolution_tensors(const workload::TrainingGraph& graph, workload::OperationIndex operation) {
  const auto inputs = graph.inputs(operation);
  const workload::Shape& first = graph.values()[inputs[0]].shape;
  const workload::Shape& second = graph.values()[inputs[1]].shape;
  const workload::Shape& result = graph.values()[graph.at(operation).first_output].shape;
  switch (graph.at(operation).type) {
    case OperationType::Conv2DBackpropInput:
      return {.input = result, .filter = first, .output = second};
    case OperationType::Conv2DBackpropFilter:
      return {.input = first, .filter = result, .output = second};
    default:
      return {.input = first, .filter = second, .output = result};
  }
}

std::int64_t window(const workload::TrainingGraph& graph, workload::OperationIndex operation) {
  if (!is_convolution(graph.at(operation).type)) return 1;
  const workload::Shape filter = convolution_tensors(graph, operation).filter;
  return filter[0] * filter[1];
}

}  // namespace pimsweep::heteropim
