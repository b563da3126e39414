#include "systems/llm/step/channels.h"

#include <algorithm>
#include <numeric>

#include "systems/llm/schedule/channels.h"

namespace pimsweep::systems::llm::step {

namespace {

/// Limit of the search for an optimal assignment: about a millisecond.
constexpr std::size_t max_nodes = 2'000;

/// Channels by load, the least loaded first, of equals the first.
class LeastLoaded {
 public:
  explicit LeastLoaded(std::int64_t count) {
    for (std::int32_t channel = 0; channel < static_cast<std::int32_t>(count); ++channel) heap_.push_back({0, channel});
  }
  std::int32_t add(double load) {
    std::ranges::pop_heap(heap_, is_after);
    heap_.back().load += load;
    const std::int32_t channel = heap_.back().channel;
    std::ranges::push_heap(heap_, is_after);
    return channel;
  }

 private:
  struct Channel {
    double load;
    std::int32_t channel;
  };
  static bool is_after(const Channel& a, const Channel& b) {
    return a.load != b.load ? a.load > b.load : a.channel > b.channel;
  }
  std::vector<Channel> heap_;
};

void assign_longest_first(std::span<const double> loads, std::int64_t count, std::vector<std::int32_t>& assigned) {
  std::vector<std::size_t> order(loads.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return loads[a] > loads[b]; });
  LeastLoaded channels(count);
  for (const std::size_t sequence : order) assigned[sequence] = channels.add(loads[sequence]);
}

}  // namespace

void assign_channels(ChannelAssignment assignment, std::span<const double> loads, std::int64_t count,
                     std::vector<std::int32_t>& channels) {
  channels.assign(loads.size(), 0);
  const auto all = static_cast<std::size_t>(count);
  switch (assignment) {
    case ChannelAssignment::round_robin:
      for (std::size_t i = 0; i < loads.size(); ++i) channels[i] = static_cast<std::int32_t>(i % all);
      return;
    case ChannelAssignment::greedy:
      assign_longest_first(loads, count, channels);
      return;
    case ChannelAssignment::optimal:
      std::ranges::copy(schedule::assign_channels(loads, all, max_nodes).channel, channels.begin());
      return;
  }
}

double largest_load(std::span<const double> loads, std::span<const std::int32_t> channels, std::int64_t count) {
  std::vector<double> sums(static_cast<std::size_t>(count), 0);
  for (std::size_t i = 0; i < loads.size(); ++i) sums[static_cast<std::size_t>(channels[i])] += loads[i];
  return *std::ranges::max_element(sums);
}

void halve_channels(std::span<const std::int32_t> channels, std::int64_t count, std::vector<bool>& is_second) {
  std::vector<std::size_t> left(static_cast<std::size_t>(count), 0);
  for (const std::int32_t channel : channels) ++left[static_cast<std::size_t>(channel)];
  // Sequences of each channel that are still to come into the first batch.
  bool rounds_up = true;
  for (std::size_t& sequences : left) {
    const bool is_odd = sequences % 2 == 1;
    sequences = sequences / 2 + (is_odd && rounds_up ? 1 : 0);
    if (is_odd) rounds_up = !rounds_up;
  }
  is_second.clear();
  for (const std::int32_t channel : channels) {
    std::size_t& first = left[static_cast<std::size_t>(channel)];
    is_second.push_back(first == 0);
    if (first > 0) --first;
  }
}

}  // namespace pimsweep::systems::llm::step
