#pragma once

#include "hardware/attention_pim/channel_clock.h"
#include "hardware/attention_pim/commands.h"
#include "hardware/attention_pim/device.h"

namespace pimsweep::hardware::attention_pim {

/// Clocks of a stack for an attention.
struct Clocks {
  double total = 0;
  /// Refreshes per channel, and their clocks, which are included in the total.
  double refreshes = 0;
  double refresh_clocks = 0;
};

/// Time of an attention by arithmetic on the command rules of the AttAcc artifact (trace_gen/*.py, HBM3-PIM.cpp:35-36
/// and 360-420, commit c600051). Two rounds of heads are interleaved: the scores of the first head, its softmax in
/// parallel with the scores of the second, the context of the first, the context of the second. Within a barrier, MACs
/// and transfers run in parallel and the longer chain determines the time. A row change costs a precharge and an
/// activation unless other banks are working.
Clocks clocks(const Device& device, const AttentionShape& shape, const ClockOptions& options);

}  // namespace pimsweep::hardware::attention_pim
