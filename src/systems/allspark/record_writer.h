#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "systems/allspark/evaluation.h"
#include "systems/allspark/model_costs.h"
#include "systems/allspark/policy.h"
#include "systems/system.h"

namespace pimsweep::allspark {

/// "1x1*2 4x2": a stage's layers, in the text form that the axis `schedule` reads.
std::string schedule_text(const std::vector<Layers>& stage);

/// Fills the record of a point: the schedule's times and tables if it is feasible; the model's own figures always;
/// memory wherever there is a schedule, so that it shows by how much one does not fit.
void write_record(ModelCosts& costs, const Decision& decision, bool weight_reuse, const Schema& schema, Record& record);

}  // namespace pimsweep::allspark
