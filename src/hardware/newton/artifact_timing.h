#pragma once

#include "hardware/newton/artifact_rules.h"
#include "hardware/newton/artifact_schedule.h"
#include "hardware/newton/counts.h"

namespace pimsweep::hardware::newton {

/// Timing of the first channel's commands; it has the most work, so its end is the end of the layer. Both functions
/// return the same numbers. The refresh interval must be longer than a refresh: rules.refresh_interval > rules.ref_act
/// + rules.prea_act.

/// Simulates command by command.
Run artifact_cycle_by_cycle(const ArtifactSchedule& schedule, const ArtifactRules& rules);

/// Computes from refresh to refresh: rounds, sets and results between two refreshes are equally long.
Run artifact_closed_form(const ArtifactSchedule& schedule, const ArtifactRules& rules, const Dram& dram);

}  // namespace pimsweep::hardware::newton
