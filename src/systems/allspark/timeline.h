#pragma once

#include "systems/allspark/record_writer.h"

namespace pimsweep::systems::allspark {

/// Adds the table "timeline" of a feasible schedule: block after block, temporal layer after temporal layer, phase
/// after phase in the order of Sec. V-C; a block's weight sharing comes last. A phase is that of the whole batch.
void write_timeline(ModelCosts& costs, const Decision& decision, Outcome& outcome);

/// Adds the timeline of a network run operator by operator: the four shares of each stage in sequence.
void write_timeline(const OperatorSchedule& schedule, const Machine& machine, Outcome& outcome);

}  // namespace pimsweep::systems::allspark
