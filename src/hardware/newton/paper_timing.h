#pragma once

#include <span>

#include "hardware/newton/counts.h"
#include "hardware/newton/dram.h"
#include "hardware/newton/paper_schedule.h"

namespace pimsweep::hardware::newton {

/// Timing of a channel's commands under the rules of the DRAM: the open row is closed (tRAS, tRTP) and precharged (tRP)
/// before a G_ACT set opens another, a refresh comes between two sets, and a COMP waits until its buffer is filled.
/// With `hiding` a G_ACT may issue while the data of a GWRITE arrive. Both functions return the same numbers; the
/// refresh interval must be longer than a refresh.

/// Simulates command by command.
Run paper_cycle_by_cycle(std::span<const Burst> bursts, const Dram& dram, bool hiding);

/// Computes from refresh to refresh.
Run paper_closed_form(std::span<const Burst> bursts, const Dram& dram, bool hiding);

}  // namespace pimsweep::hardware::newton
