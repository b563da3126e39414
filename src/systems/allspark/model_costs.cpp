#include "systems/allspark/model_costs.h"

#include <fmt/format.h>

#include <cmath>

#include "base/memoized.h"

namespace pimsweep::systems::allspark {

namespace {

/// The nine phases of the paper do not include the patch embedding.
double macs_without_embedding(std::vector<workload::TransformerStage> stages) {
  if (!stages.empty()) stages.front().merge_inputs = 0;
  return workload::encoder_macs(stages);
}

std::string caveat_of(const workload::VisionTransformer& model) {
  for (std::size_t s = 0; s < model.stages.size(); ++s) {
    for (const workload::EncoderBlocks& blocks : model.stages[s].blocks) {
      if (blocks.branches != branch_count(model.stages[s])) {
        return fmt::format(
            "stage {}: kinds of blocks with different numbers of branches share temporal layers "
            "(upper bound)",
            s + 1);
      }
    }
  }
  return {};
}

}  // namespace

ModelCosts::ModelCosts(workload::VisionTransformer model, const Machine& machine, const Conditions& conditions,
                       std::shared_ptr<GemmCache> gemms, std::unique_ptr<cycle::PhaseTimes> phase_times)
    : model_(std::move(model)),
      machine_(machine),
      conditions_(conditions),
      gemms_(std::move(gemms)),
      phase_times_(std::move(phase_times)) {
  for (std::size_t s = 0; s < stages(); ++s) {
    candidates_.push_back(candidate_partitions(stage(s).heads, max_tokens(stage(s)), machine_.min_patch_chunk,
                                               machine_.node_rows, machine_.node_cols));
  }
  macs_ = macs_without_embedding(model_.stages);
  caveat_ = caveat_of(model_);
}

const PartitionCost& ModelCosts::cost(std::size_t stage, const Partition& partition) {
  return memoized(costs_, std::pair(stage, partition), [&] {
    return partition_cost(model_.stages[stage], stage == 0, partition, conditions_, machine_, *gemms_,
                          phase_times_.get());
  });
}

void ModelCosts::explain(std::size_t stage, const Partition& partition, Explanation& notes) {
  partition_cost(model_.stages[stage], stage == 0, partition, conditions_, machine_, *gemms_, phase_times_.get(),
                 &notes);
}

std::vector<BlockPhases> ModelCosts::phases(std::size_t stage, const Partition& partition) {
  std::vector<BlockPhases> result;
  partition_cost(model_.stages[stage], stage == 0, partition, conditions_, machine_, *gemms_, phase_times_.get(),
                 nullptr, &result);
  return result;
}

const scheduler::ScheduleProblem& ModelCosts::problem() {
  if (!problem_.stages.empty()) return problem_;
  scheduler::ScheduleProblem problem;
  problem.memory_bytes = machine_.node_bytes();
  for (std::size_t s = 0; s < stages(); ++s) {
    scheduler::StageProblem& stage_problem = problem.stages.emplace_back();
    stage_problem.branches = branch_count(stage(s));
    for (const Partition& partition : candidates_[s]) {
      const PartitionCost& costs = cost(s, partition);
      stage_problem.schemes.push_back({partition.head_split, partition.patch_split, costs.capacity, costs.time.total(),
                                       costs.weight_bytes, costs.workspace_bytes});
    }
  }
  problem_ = std::move(problem);
  return problem_;
}

std::int64_t ModelCosts::ideal_cycles() const {
  const auto macs_per_cycle = static_cast<double>(machine_.nodes() * machine_.pes());
  return Count::of(std::ceil(static_cast<double>(conditions_.batch) * macs_ / macs_per_cycle));
}

}  // namespace pimsweep::systems::allspark
