#pragma once

#include <span>

#include "hardware/dram/controller.h"
#include "hardware/dram/dram.h"
#include "hardware/dram/request.h"
#include "hardware/dram/result.h"

namespace pimsweep::test {

/// The controller written out clock by clock and request by request: every rule looks back over the list of all
/// commands, every queue is a list. Slow; shares no code with the simulation but the types. `due`: first cycle in which
/// each request is offered, if there are any.
hardware::dram::Result run_literally(const hardware::dram::Dram& dram, const hardware::dram::ControllerOptions& options,
                                     std::span<const hardware::dram::Request> requests,
                                     std::span<const std::int64_t> due = {});

}  // namespace pimsweep::test
