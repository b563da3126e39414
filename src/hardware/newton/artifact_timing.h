#pragma once

#include "hardware/newton/artifact_rules.h"
#include "hardware/newton/artifact_schedule.h"
#include "hardware/newton/counts.h"

namespace pimsweep::hardware::newton {

/// Both functions run the commands of the first channel; it has the most work, so its end is the layer's. They give the
/// same numbers. The refresh interval must be longer than a refresh: rules.refresh_interval > rules.ref_act +
/// rules.prea_act.

/// Command by command.
Run artifact_cycle_by_cycle(const ArtifactSchedule& schedule, const ArtifactRules& rules);

/// By arithmetic from one refresh to the next: rounds, sets and results between two refreshes are equally long.
Run artifact_closed_form(const ArtifactSchedule& schedule, const ArtifactRules& rules, const Dram& dram);

}  // namespace pimsweep::hardware::newton
