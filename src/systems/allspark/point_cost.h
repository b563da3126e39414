#pragma once

#include "systems/allspark/settings.h"

namespace pimsweep::systems::allspark {

/// Seconds that the evaluation of a point is likely to take on one core. Only the order in which points begin depends
/// on it.
double expected_seconds(const Settings& settings);

}  // namespace pimsweep::systems::allspark
