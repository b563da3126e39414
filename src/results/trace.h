#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "systems/system.h"

namespace pimsweep::results {

/// Description of a trace: names and texts.
using TraceNotes = std::vector<std::pair<std::string, std::string>>;

/// Writes the timelines of a record in the Trace Event Format, which Perfetto and chrome://tracing open: a process for
/// each group, a thread for each lane, a complete event ("X") for each interval, counters ("C") of a group's transfer
/// rate and occupancy, and flows ("s", "f") for dependencies. `ts` and `dur` are in microseconds; exact start and end
/// in seconds, the task, the parts of a name and columns without a role are arguments. An event never ends after the
/// start of the next one of its lane.
void write_trace(const systems::Schema& schema, const systems::Record& record, const TraceNotes& notes,
                 std::ostream& stream);

}  // namespace pimsweep::results
