#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "systems/allspark/machine.h"
#include "systems/allspark/partition.h"
#include "systems/allspark/scheduler/schedule_problem.h"
#include "systems/allspark/stage_cost.h"
#include "workload/vision_transformer.h"

namespace pimsweep::systems::allspark {

/// A model on a machine: the cost of every partition of every stage, by formula or simulation, computed on first use
/// and shared by all policies.
///
///     ModelCosts costs(model, machine, conditions, std::make_shared<GemmCache>());
///     for (const Partition& partition : costs.candidates(stage)) costs.cost(stage, partition).time.total();
///
/// Costs belong to one machine and one set of conditions; ModelCostCache keeps those of a sweep.
class ModelCosts {
 public:
  /// Without `phase_times`, phases take the cycles of the formulas at peak rates.
  ModelCosts(workload::VisionTransformer model, const Machine& machine, const Conditions& conditions,
             std::shared_ptr<GemmCache> gemms, std::unique_ptr<cycle::PhaseTimes> phase_times = nullptr);

  const workload::VisionTransformer& model() const { return model_; }
  const Machine& machine() const { return machine_; }
  const Conditions& conditions() const { return conditions_; }
  std::size_t stages() const { return model_.stages.size(); }
  const workload::TransformerStage& stage(std::size_t stage) const { return model_.stages[stage]; }

  const PartitionCost& cost(std::size_t stage, const Partition& partition);
  /// Notes every intermediate quantity of the cost of a partition.
  void explain(std::size_t stage, const Partition& partition, Explanation& notes);
  /// The phases of a temporal layer with the partition, one kind of blocks after another, then patch merging.
  std::vector<BlockPhases> phases(std::size_t stage, const Partition& partition);
  /// The schemes of U_s x V_s whose sub-arrays fit (Sec. VI-A).
  const std::vector<Partition>& candidates(std::size_t stage) const { return candidates_[stage]; }

  /// The scheduling problem over all candidates, in their order.
  const scheduler::ScheduleProblem& problem();

  /// Multiply-accumulates of one sample: GEMMs and local operators of the encoders, and patch merging.
  double macs() const { return macs_; }
  /// Cycles of the batch if all PEs compute all the time and no data moves: a lower bound.
  std::int64_t ideal_cycles() const;
  /// Limits of this model's mapping; empty if there are none.
  const std::string& caveat() const { return caveat_; }

 private:
  workload::VisionTransformer model_;
  Machine machine_;
  Conditions conditions_;
  std::shared_ptr<GemmCache> gemms_;
  std::unique_ptr<cycle::PhaseTimes> phase_times_;
  std::vector<std::vector<Partition>> candidates_;
  std::map<std::pair<std::size_t, Partition>, PartitionCost> costs_;
  scheduler::ScheduleProblem problem_;
  double macs_ = 0;
  std::string caveat_;
};

}  // namespace pimsweep::systems::allspark
