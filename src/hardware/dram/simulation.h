#pragma once

#include <cstdint>
#include <span>

#include "hardware/dram/controller.h"
#include "hardware/dram/dram.h"
#include "hardware/dram/pattern.h"
#include "hardware/dram/request.h"
#include "hardware/dram/result.h"
#include "hardware/dram/trace.h"

namespace pimsweep::hardware::dram {

/// Cycle-level simulation of one channel and its controller (rules: docs/dram.md). One request is offered per clock
/// until all are served; clocks in which nothing can happen are skipped. Both queues hold at least one request. With
/// refresh, the refresh interval must exceed Rules::refresh_blocks() times the number of domains. Of traffic for
/// several channels, only the requests to `channel` are simulated.
Result simulate(const Dram& dram, const ControllerOptions& options, const Traffic& traffic, std::int64_t channel = 0);
Result simulate(const Dram& dram, const ControllerOptions& options, std::span<const Request> requests);
/// Requests of which each is offered no earlier than in its cycle; the cycles do not decrease.
Result simulate(const Dram& dram, const ControllerOptions& options, std::span<const TimedRequest> requests);
/// The requests of a trace to one channel.
Result simulate(const Dram& dram, const ControllerOptions& options, TraceSource& trace, TraceLog& log);

}  // namespace pimsweep::hardware::dram
