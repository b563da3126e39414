#pragma once

#include <cstdint>
#include <vector>

#include "hardware/newton/counts.h"
#include "hardware/newton/dram.h"
#include "hardware/newton/layer.h"

// The artifact a second time, as slowly and literally as its description reads: every channel's trace is written out,
// command by command, and then run clock by clock.
namespace pimsweep::hardware::newton::literal {

/// G_ACT0 is g_act, G_ACT1 g_act + 1, and so on.
enum Command : std::int16_t { gwrite, comp, readres, g_act };
using Trace = std::vector<std::int16_t>;

/// One trace for each channel; empty where the generator divides by zero.
std::vector<Trace> traces(const Layer& layer, const Dram& dram, std::int64_t channels, std::int64_t n_gwrite);

/// Runs a trace on one channel, clock by clock.
Run run(const Trace& trace, const Dram& dram, bool hiding);

}  // namespace pimsweep::hardware::newton::literal
