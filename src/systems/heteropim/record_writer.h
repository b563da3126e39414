#pragma once

#include "systems/heteropim/training_point.h"
#include "systems/system.h"

namespace pimsweep::heteropim {

/// How a timeline names a device: policies without PIM run everything on one.
std::string_view device_name(const Policy& policy, Device device);

void write_record(const Settings& settings, const workload::TrainingGraph& graph, const Outcome& outcome,
                  const Schema& schema, Record& record);

}  // namespace pimsweep::heteropim
