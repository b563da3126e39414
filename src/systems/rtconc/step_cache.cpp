#include "systems/rtconc/step_cache.h"

#include <algorithm>
#include <array>
#include <map>

#include "workload/training/numbers_by_type.h"

namespace pimsweep::systems::rtconc {

namespace {

/// All parameters of the time of an operation.
std::array<double, 19> key_of(workload::training::OperationType type, const schedule::OperationClass& one) {
  const hardware::manycore::Loops& l = one.work.loops;
  return {static_cast<double>(type),
          one.max_threads,
          one.serial,
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

StepOperations step_operations(const hardware::manycore::Device& device, const Framework& framework,
                               const workload::training::TrainingGraph& graph) {
  const hardware::manycore::Operations make(device, hardware::manycore::Library::mkl_dnn);
  StepOperations result;
  schedule::Step& step = result.step;
  step.kinds = static_cast<std::uint32_t>(workload::training::operation_types);
  std::map<std::array<double, 19>, std::uint32_t> known;
  step.successor_begin.push_back(0);
  for (workload::training::OperationIndex i = 0; i < graph.size(); ++i) {
    step.predecessors.push_back(static_cast<std::uint32_t>(graph.predecessors(i).size()));
    const auto followers = graph.successors(i);
    step.successors.insert(step.successors.end(), followers.begin(), followers.end());
    step.successor_begin.push_back(static_cast<std::uint32_t>(step.successors.size()));
    const workload::training::OperationType type = graph.at(i).type;
    if (workload::training::is_source(type) || workload::training::is_view(type)) {
      step.operation_class.push_back(schedule::Step::none);
      continue;
    }
    schedule::OperationClass one = operation_class(make, device, framework, graph, i);
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

}  // namespace

namespace {

/// Makes all operations of a type take the profiled time with one thread on each core: what the model lacks is serial,
/// and what it has too much is waking. A time below the model's with threads awake stays the model's.
void apply_profile(std::vector<schedule::OperationClass>& classes, const Machine& machine) {
  const std::vector<double> profile = workload::training::numbers_by_type(machine.framework.profile, "profile", 0);
  struct Total {
    double seconds = 0;
    double waking = 0;
  };
  std::vector<Total> totals(profile.size());
  const schedule::Case all{machine.cpu().cores, hardware::manycore::Affinity::compact};
  std::vector<schedule::RunCost> costs;
  for (const schedule::OperationClass& one : classes) {
    costs.push_back(cost_of(machine.cpu(), one, all));
    totals[one.kind].seconds += one.instances * costs.back().seconds;
    totals[one.kind].waking += one.instances * costs.back().waking;
  }
  for (std::size_t c = 0; c < classes.size(); ++c) {
    schedule::OperationClass& one = classes[c];
    const Total& total = totals[one.kind];
    const double missing = profile[one.kind] - total.seconds;
    if (profile[one.kind] == 0) continue;
    if (missing >= 0) {
      one.serial += costs[c].seconds * missing / total.seconds;
    } else if (total.waking > 0) {
      one.waking.each *= std::max(0.0, 1 + missing / total.waking);
    }
  }
}

}  // namespace

std::vector<schedule::OperationClass> woken_classes(const TimedStep& step, const Machine& machine) {
  std::vector<schedule::OperationClass> classes = step.operations.classes;
  for (schedule::OperationClass& one : classes) one.waking.each = machine.framework.wake;
  if (!machine.framework.profile.empty()) apply_profile(classes, machine);
  return machine.spins ? schedule::spinning(classes) : classes;
}

const TimedStep& StepCache::timed(const workload::training::StepChoice& choice, const Machine& machine) {
  Framework framework = machine.framework;
  framework.wake = 0;
  framework.profile.clear();
  return timed_.get({choice, machine.cpu(), framework, false}, [&] {
    TimedStep step;
    step.operations = step_operations(machine.cpu(), framework, graphs_.graph(choice));
    step.cases = schedule::cases_of(machine.cpu());
    step.times = std::make_unique<schedule::RunTimes>(machine.cpu(), step.operations.classes, step.cases);
    return step;
  });
}

const PreparedStep& StepCache::prepared(const workload::training::StepChoice& choice, const Machine& machine) {
  return steps_.get({choice, machine.cpu(), machine.framework, machine.spins}, [&] {
    const TimedStep& timed_step = timed(choice, machine);
    PreparedStep step{timed_step.operations, timed_step.cases, nullptr};
    step.operations.classes = woken_classes(timed_step, machine);
    step.costs =
        std::make_unique<schedule::CostTable>(machine.cpu(), step.operations.classes, step.cases, *timed_step.times);
    return step;
  });
}

}  // namespace pimsweep::systems::rtconc
