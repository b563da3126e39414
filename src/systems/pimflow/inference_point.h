#pragma once

#include "hardware/gpu/network/network_cache.h"
#include "systems/pimflow/policy.h"
#include "systems/pimflow/settings.h"

namespace pimsweep::systems::pimflow {

/// The model of a design point: network, machine and plan.
struct InferencePoint {
  /// Refers to all arguments.
  InferencePoint(const Settings& given, const Network& graph, CostCache& known)
      : settings(given),
        network(graph),
        costs(known.get(machine_of(settings))),
        baseline(known.get(gpu_alone(settings))),
        plan(settings.policy->plan({network, costs, settings.split_interval, settings.stages})) {}

  const Settings& settings;
  const Network& network;
  Costs& costs;
  /// Costs on the GPU alone with all memory channels.
  Costs& baseline;
  Plan plan;
};

}  // namespace pimsweep::systems::pimflow
