#pragma once

#include <string>
#include <vector>

#include "hardware/gpu/network/inference.h"
#include "systems/allspark/interactions.h"
#include "systems/allspark/model_costs.h"
#include "systems/allspark/operator_run.h"
#include "systems/allspark/outcome.h"
#include "systems/allspark/policy.h"

namespace pimsweep::systems::allspark {

/// Outcome of a point: its metrics, collected in `result`; its status, message and detail tables in `record`.
struct Outcome {
  const OutcomeTables& tables;
  Record& record;
  Result result = {};
};

/// "1x1*2 4x2": the layers of a stage as axis `schedule` reads them.
std::string schedule_text(const std::vector<Layers>& stage);

/// Fills in a schedule: times and tables if it is feasible; metrics of the model in any case; memory wherever there is
/// a schedule, to show by how much it does not fit.
void write_schedule(ModelCosts& costs, const Decision& decision, bool weight_reuse, const EnergyCosts& energy,
                    Outcome& outcome);

/// Adds how far the time by formula is from the simulated time of the outcome.
void write_deviation(ModelCosts& by_formula, const Decision& decision, Outcome& outcome);

/// Adds the interactions between the branches of a feasible schedule.
void write_interactions(const ModelCosts& costs, const std::vector<StageInteraction>& interactions, Outcome& outcome);

/// Fills in the lower bound: all PEs busy with multiply-accumulates all the time.
void write_ideal(const ModelCosts& costs, Outcome& outcome);

/// Fills in a network run operator by operator.
void write_operators(const OperatorSchedule& schedule, const Machine& machine, std::int64_t batch,
                     const EnergyCosts& energy, Outcome& outcome);

/// Fills in a network run on the GPU.
void write_gpu(const hardware::gpu::network::Inference& inference, std::int64_t batch, Outcome& outcome);

}  // namespace pimsweep::systems::allspark
