#pragma once

#include <array>
#include <cstdint>

#include "hardware/noc/router/arbitration.h"
#include "hardware/noc/router/router_settings.h"

namespace pimsweep::hardware::noc::router {

/// The virtual channels of one output that input channels request. The allocator's members are all channels of a router
/// on either side; these are members base to base + count - 1.
struct OutputRange {
  unsigned base;
  unsigned count;
  /// Channels that can be granted.
  std::uint32_t available;
};

/// Advances the pointers past a final match, and reports it.
template <typename Input, typename Output, typename Match>
void settle_channel(unsigned input, unsigned v, OutputRange range, unsigned members, bool move, Input inputs,
                    Output outputs, Match match) {
  if (move) {
    inputs[input].pointer = behind(range.base + v, members);
    outputs[range.base + v].pointer = behind(input, members);
  }
  match(input, v);
}

/// The offered channel that an input accepts: its pointer cycles through all members; outside the range it counts as
/// the first member of the range.
template <typename Input>
unsigned choose_channel(unsigned input, std::uint32_t offers, OutputRange range, Input inputs) {
  const auto start = static_cast<unsigned>(static_cast<int>(inputs[input].pointer) - static_cast<int>(range.base));
  // It is unpredictable if the pointer is inside the range, so a branch would cost more.
  return first_from(offers, start * static_cast<unsigned>(start < range.count));
}

/// allocate_channels() for more than one request.
template <typename Set, typename Input, typename Output, typename Match>
[[gnu::noinline]] void allocate_contested_channels(Set requests, OutputRange range, unsigned members,
                                                   Allocator allocator, unsigned iterations, Input inputs,
                                                   Output outputs, Match match) {
  const auto choice = [&](unsigned input, std::uint32_t offers) {
    return choose_channel(input, offers, range, inputs);
  };
  const auto settle = [&](unsigned input, unsigned v, bool move) {
    settle_channel(input, v, range, members, move, inputs, outputs, match);
  };
  if (allocator == Allocator::separable_input_first) {
    std::array<Set, max_virtual_channels> chosen_by;
    std::uint32_t chosen = 0;
    for (Set left = requests; left != 0; left &= left - 1) {
      const unsigned input = lowest(left);
      const unsigned v = choice(input, range.available);
      if ((chosen & bit<std::uint32_t>(v)) == 0) chosen_by[v] = 0;
      chosen |= bit<std::uint32_t>(v);
      chosen_by[v] |= bit<Set>(input);
    }
    for (; chosen != 0; chosen &= chosen - 1) {
      const unsigned v = lowest(chosen);
      settle(first_from(chosen_by[v], outputs[range.base + v].pointer), v, true);
    }
    return;
  }
  // All requests have equal priority here, so separable_output_first is one iteration of iSLIP.
  std::array<std::uint32_t, max_router_channels> offers;
  for (unsigned iteration = 0; iteration < iterations && requests != 0 && range.available != 0; ++iteration) {
    Set offered = 0;
    for (std::uint32_t left = range.available; left != 0; left &= left - 1) {
      const unsigned v = lowest(left);
      const unsigned input = first_from(requests, outputs[range.base + v].pointer);
      if ((offered & bit<Set>(input)) == 0) offers[input] = 0;
      offered |= bit<Set>(input);
      offers[input] |= bit<std::uint32_t>(v);
    }
    requests &= ~offered;
    for (; offered != 0; offered &= offered - 1) {
      const unsigned input = lowest(offered);
      const unsigned v = choice(input, offers[input]);
      range.available &= ~bit<std::uint32_t>(v);
      settle(input, v, iteration == 0);
    }
  }
}

/// Matches input channels (`requests`, at least one; each accepts any available channel) with available output
/// channels, and calls match(input, output channel in the range). `inputs[member].pointer` and
/// `outputs[member].pointer` are the pointers of all `members` on either side; only final matches move them.
template <typename Set, typename Input, typename Output, typename Match>
void allocate_channels(Set requests, OutputRange range, unsigned members, Allocator allocator, unsigned iterations,
                       Input inputs, Output outputs, Match match) {
  if ((requests & (requests - 1)) != 0) {
    allocate_contested_channels(requests, range, members, allocator, iterations, inputs, outputs, match);
    return;
  }
  const unsigned input = lowest(requests);
  settle_channel(input, choose_channel(input, range.available, range, inputs), range, members, true, inputs, outputs,
                 match);
}

}  // namespace pimsweep::hardware::noc::router
