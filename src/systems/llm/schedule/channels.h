#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pimsweep::systems::llm::schedule {

/// Requests on memory channels that work side by side.
struct ChannelAssignment {
  /// Channel of each request.
  std::vector<std::uint32_t> channel;
  /// Seconds of the channel that ends last.
  double seconds = 0;
  double lower_bound = 0;

  /// Possible excess over the optimum, as a share of the lower bound; 0 if the assignment is optimal.
  double gap() const { return lower_bound > 0 ? seconds / lower_bound - 1 : 0; }
};

/// Requests to identical channels so that the last one ends first (P||Cmax, strongly NP-hard): the best of LPT and
/// MULTIFIT, improved by exchanges; then the makespan is narrowed by bin packing (bin_packing.h), bounds first, then a
/// search of about `max_steps` steps of some nanoseconds. Throws PointError if there are requests, but no channels.
ChannelAssignment assign_channels(std::span<const double> seconds, std::size_t channels,
                                  std::size_t max_steps = 200'000);

/// The largest of the sum over channels, the longest request, and for each k the k + 1 shortest of the k m + 1 longest
/// requests, of which two of m channels must have k + 1 (Dell'Amico and Martello, Optimal scheduling of tasks on
/// identical parallel processors, ORSA Journal on Computing 1995).
double channel_lower_bound(std::span<const double> seconds, std::size_t channels);

}  // namespace pimsweep::systems::llm::schedule
