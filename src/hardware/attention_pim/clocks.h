#pragma once

#include "hardware/attention_pim/channel_clock.h"
#include "hardware/attention_pim/commands.h"
#include "hardware/attention_pim/device.h"

namespace pimsweep::hardware::attention_pim {

/// Clocks of a stack for an attention.
struct Clocks {
  double total = 0;
  /// Refreshes of each channel, and the clocks that they take of the total.
  double refreshes = 0;
  double refresh_clocks = 0;
};

/// Time of an attention by arithmetic on the command rules of the AttAcc artifact (trace_gen/*.py, HBM3-PIM.cpp:35-36
/// and 360-420, commit c600051). Two rounds of heads are interleaved: the first head's scores, its softmax beside the
/// second's scores, the first's context, the second's context. Within a barrier, MACs and moves run side by side; the
/// longer chain decides. A change of row costs a precharge and an activation unless other banks are at work.
Clocks clocks(const Device& device, const AttentionShape& shape, const ClockOptions& options);

}  // namespace pimsweep::hardware::attention_pim
