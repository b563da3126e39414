#pragma once

#include "systems/heteropim/training_point.h"
#include "systems/system.h"

namespace pimsweep::systems::heteropim {

/// How a timeline names a device: policies without PIM run everything on one.
std::string_view device_name(const runtime::Policy& policy, runtime::Device device);

void write_record(const Settings& settings, const workload::training::TrainingGraph& graph, const Outcome& outcome,
                  const Schema& schema, Record& record);

}  // namespace pimsweep::systems::heteropim
