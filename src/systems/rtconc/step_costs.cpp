#include "systems/rtconc/step_costs.h"

#include <array>
#include <map>

namespace pimsweep::rtconc {

namespace {

/// Everything that the time of an operation depends on.
std::array<double, 18> key_of(workload::OperationType type, const OperationClass& one) {
  const manycore::Loops& l = one.work.loops;
  return {static_cast<double>(type),
          one.most_threads,
          l.rows,
          l.columns,
          l.depth,
          l.splits_depth ? 1.0 : 0.0,
          l.collapses ? 1.0 : 0.0,
          l.operations,
          l.efficiency,
          l.scalar_cycles,
          l.row_bytes,
          l.column_bytes,
          l.result_bytes,
          l.memory_bytes,
          l.footprint,
          one.work.shared_cycles,
          one.work.serial_bytes,
          one.work.repeats};
}

}  // namespace

StepOperations step_operations(const manycore::Device& device, const EigenCosts& eigen,
                               const workload::TrainingGraph& graph) {
  const manycore::Operations make(device, manycore::Library::mkl_dnn);
  StepOperations result;
  Step& step = result.step;
  step.kinds = static_cast<std::uint32_t>(workload::kOperationTypes);
  std::map<std::array<double, 18>, std::uint32_t> known;
  step.successor_begin.push_back(0);
  for (workload::OperationIndex i = 0; i < graph.size(); ++i) {
    step.predecessors.push_back(static_cast<std::uint32_t>(graph.predecessors(i).size()));
    const auto followers = graph.successors(i);
    step.successors.insert(step.successors.end(), followers.begin(), followers.end());
    step.successor_begin.push_back(static_cast<std::uint32_t>(step.successors.size()));
    const workload::OperationType type = graph.at(i).type;
    if (workload::is_source(type) || workload::is_view(type)) {
      step.operation_class.push_back(Step::none);
      continue;
    }
    OperationClass one = operation_class(make, device, eigen, graph, i);
    one.kind = static_cast<std::uint32_t>(type);
    const auto [found, added] = known.try_emplace(key_of(type, one), static_cast<std::uint32_t>(result.classes.size()));
    if (added) {
      result.classes.push_back(one);
      result.types.push_back(type);
    }
    ++result.classes[found->second].instances;
    step.operation_class.push_back(found->second);
  }
  return result;
}

}  // namespace pimsweep::rtconc
