#pragma once

#include <vector>

#include "systems/serving/engine/request.h"
#include "systems/serving/settings.h"
#include "workload/decoder/tables.h"

namespace pimsweep::systems::serving {

/// The requests of a point, sorted by arrival. Gaps of random arrivals depend on the seed alone and are divided by the
/// rate, so that points of different rates and policies have the same arrivals and lengths. Throws PointError if the
/// settings contradict each other or the trace lacks what they need.
void make_requests(const Traffic& traffic, workload::decoder::Tables& tables, std::vector<engine::Request>& requests);

/// Requests that arrive in a second: up to the last arrival. 0 if all arrive at once.
double offered_rate(const std::vector<engine::Request>& requests);

}  // namespace pimsweep::systems::serving
