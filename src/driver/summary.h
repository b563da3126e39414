#pragma once

#include <string>

#include "driver/manager.h"
#include "driver/merge.h"
#include "driver/tally.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// Prints on stderr what the first few failures said and which points are not deterministic, then on stdout how many
/// points there are of each kind. `how` says where they come from.
void print_result(const sweep::Plan& plan, const MergeResult& result, const std::string& how,
                  const std::string& output);

/// Prints what the run was like: how busy the ranks were, the slowest points.
void print_effort(const sweep::Plan& plan, const Tally& tally, const Outcome& outcome, int evaluators);

}  // namespace pimsweep::driver
