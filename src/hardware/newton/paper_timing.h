#pragma once

#include <span>

#include "hardware/newton/counts.h"
#include "hardware/newton/dram.h"
#include "hardware/newton/paper_schedule.h"

namespace pimsweep::hardware::newton {

/// A channel's commands under the DRAM's own rules: the open row is closed (tRAS, tRTP) and precharged (tRP) before a
/// G_ACT set opens another, a refresh comes between two sets, a COMP waits until its buffer is filled. With `hiding` a
/// G_ACT may issue while a GWRITE's data arrive. Both functions give the same numbers; the refresh interval must be
/// longer than a refresh.

/// Command by command.
Run paper_cycle_by_cycle(std::span<const Burst> bursts, const Dram& dram, bool hiding);

/// By arithmetic from one refresh to the next.
Run paper_closed_form(std::span<const Burst> bursts, const Dram& dram, bool hiding);

}  // namespace pimsweep::hardware::newton
