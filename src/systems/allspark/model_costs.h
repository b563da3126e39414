#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "systems/allspark/cycle/phase_simulator.h"
#include "systems/allspark/gemm_cache.h"
#include "systems/allspark/machine.h"
#include "systems/allspark/partition.h"
#include "systems/allspark/scheduler/schedule_problem.h"
#include "systems/allspark/stage_cost.h"
#include "workload/vision_transformer.h"

namespace pimsweep::systems::allspark {

/// A model on a machine: the cost of every partition of every stage, by formula or simulation, computed on first use
/// and shared by all policies.
class ModelCosts {
 public:
  ModelCosts(workload::VisionTransformer model, const Machine& machine, const Conditions& conditions,
             std::shared_ptr<GemmCache> gemms, std::shared_ptr<cycle::PhaseSimulator> simulator = nullptr);

  const workload::VisionTransformer& model() const { return model_; }
  const Machine& machine() const { return machine_; }
  const Conditions& conditions() const { return conditions_; }
  /// Null if costs are computed by formula.
  cycle::PhaseSimulator* simulator() const { return simulator_.get(); }
  std::size_t stages() const { return model_.stages.size(); }
  const workload::TransformerStage& stage(std::size_t stage) const { return model_.stages[stage]; }

  const PartitionCost& cost(std::size_t stage, const Partition& partition);
  /// Notes every intermediate quantity of the cost of a partition.
  void explain(std::size_t stage, const Partition& partition, Explanation& notes);
  /// What a temporal layer with the partition is made of, kind of blocks by kind of blocks, then patch merging.
  std::vector<BlockPhases> phases(std::size_t stage, const Partition& partition);
  /// The schemes of U_s x V_s whose sub-arrays fit (Sec. VI-A).
  const std::vector<Partition>& candidates(std::size_t stage) const { return candidates_[stage]; }

  /// The scheduling problem over all candidates, in their order.
  const scheduler::ScheduleProblem& problem();

  /// Multiply-accumulates of one sample: GEMMs and local operators of the encoders, and patch merging.
  double macs() const { return macs_; }
  /// Cycles of the batch if all PEs compute all the time and no data moves: a lower bound.
  std::int64_t ideal_cycles() const;
  /// What limits the mapping of this model; empty if nothing does.
  const std::string& caveat() const { return caveat_; }

 private:
  cycle::PhaseTimes* phase_times() const;

  workload::VisionTransformer model_;
  Machine machine_;
  Conditions conditions_;
  std::shared_ptr<GemmCache> gemms_;
  std::shared_ptr<cycle::PhaseSimulator> simulator_;
  /// Null: peak rates.
  std::unique_ptr<cycle::SustainedPhases> sustained_;
  std::vector<std::vector<Partition>> candidates_;
  std::map<std::pair<std::size_t, Partition>, PartitionCost> costs_;
  scheduler::ScheduleProblem problem_;
  double macs_ = 0;
  std::string caveat_;
};

}  // namespace pimsweep::systems::allspark
