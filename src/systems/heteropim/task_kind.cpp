#include "systems/heteropim/task_kind.h"

#include "workload/training/operation_table.h"

namespace pimsweep::systems::heteropim {

namespace {

using workload::training::convolution_role;
using workload::training::ConvolutionRole;
using workload::training::operation_info;
using workload::training::OperationIndex;
using workload::training::TrainingGraph;
using workload::training::TrainingOperation;

}  // namespace

bool reuses_operands(const TrainingOperation& operation) {
  return operation_info(operation.type).group == workload::training::OperationGroup::product;
}

runtime::TaskKind kind_of(const TrainingOperation& operation) {
  using runtime::TaskKind;
  const workload::training::Work& work = operation.work;
  if (work.total() == 0) {
    const bool moves = operation.bytes_read + operation.bytes_written > 0;
    return moves && !workload::training::is_source(operation.type) ? TaskKind::programmable : TaskKind::none;
  }
  if (work.others == 0) {
    const ConvolutionRole role = convolution_role(operation.type);
    const bool rearranges = role == ConvolutionRole::input_gradient || role == ConvolutionRole::filter_gradient;
    return rearranges ? TaskKind::recursive : TaskKind::fixed;
  }
  return work.multiplications + work.additions >= work.others ? TaskKind::recursive : TaskKind::programmable;
}

workload::training::ConvolutionTensors convolution_tensors(const TrainingGraph& graph, OperationIndex operation) {
  const auto inputs = graph.inputs(operation);
  return workload::training::convolution_tensors(graph.at(operation).type, graph.values()[inputs[0]].shape,
                                                 graph.values()[inputs[1]].shape,
                                                 graph.values()[graph.at(operation).first_output].shape);
}

std::int64_t window(const TrainingGraph& graph, OperationIndex operation) {
  if (convolution_role(graph.at(operation).type) == ConvolutionRole::none) return 1;
  const workload::training::Shape filter = convolution_tensors(graph, operation).filter;
  return filter[0] * filter[1];
}

}  // namespace pimsweep::systems::heteropim
