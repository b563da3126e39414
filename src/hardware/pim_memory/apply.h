#pragma once

#include <cstdint>

#include "hardware/aim/device.h"
#include "hardware/attention_pim/device.h"
#include "hardware/hbm_pim/device.h"
#include "hardware/newton/dram.h"
#include "hardware/pim_memory/conditions.h"

namespace pimsweep::hardware::pim_memory {

/// Puts a device of PIM on the memory, if there is one. Its commands take one slot of the command bus each. All banks
/// multiply at once, a column every tCCD_L; rows of a rank or pseudo-channel open four in tFAW or four times tRRD_S.
/// Circuits of PIM keep their time, and their energy by byte. Then divides the interval of refreshes, and slows columns
/// so that the multiplications of `channels` channels keep within the power limit. Throws PointError if the rules
/// cannot be read, or the limit is too low for any pace.
void apply(const Conditions& conditions, std::int64_t channels, newton::Dram& dram);
void apply(const Conditions& conditions, aim::Device& device);
void apply(const Conditions& conditions, hbm_pim::Device& device);
/// Without a power limit of its own, a stack on another memory may multiply as many bytes in a second as with its own.
void apply(const Conditions& conditions, attention_pim::Placement placement, attention_pim::Device& device);

}  // namespace pimsweep::hardware::pim_memory
