#include "systems/llm/step/channels.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "systems/llm/schedule/channels.h"

namespace pimsweep::systems::llm::step {

namespace {

std::vector<double> random_loads(std::mt19937& random, int count) {
  std::vector<double> loads;
  for (int i = 0; i < count; ++i) loads.push_back(std::lognormal_distribution<double>(0, 1)(random));
  return loads;
}

}  // namespace

TEST_CASE("requests come to channels in turn, or longest first to the least loaded") {
  std::vector<std::int32_t> channels;
  const std::vector<double> loads{1, 4, 2, 3, 3};
  assign_channels(ChannelAssignment::round_robin, loads, 2, channels);
  CHECK(channels == std::vector<std::int32_t>{0, 1, 0, 1, 0});
  CHECK(largest_load(loads, channels, 2) == 7);
  // 4 | 3, 4 | 3 3, 4 2 | 3 3, then 1 to either.
  assign_channels(ChannelAssignment::greedy, loads, 2, channels);
  CHECK(channels == std::vector<std::int32_t>{0, 0, 0, 1, 1});
  CHECK(largest_load(loads, channels, 2) == 7);
}

TEST_CASE("no assignment is below the bound, greedy within 4/3 of it and a longest request") {
  std::mt19937 random(11);
  for (int i = 0; i < 500; ++i) {
    const std::vector<double> loads = random_loads(random, std::uniform_int_distribution<int>(1, 60)(random));
    const int channels = std::uniform_int_distribution<int>(1, 12)(random);
    CAPTURE(i, loads.size(), channels);
    for (const ChannelAssignment rule :
         {ChannelAssignment::round_robin, ChannelAssignment::greedy, ChannelAssignment::optimal}) {
      std::vector<std::int32_t> assigned;
      assign_channels(rule, loads, channels, assigned);
      const double load = largest_load(loads, assigned, channels);
      const double bound = schedule::channel_lower_bound(loads, static_cast<std::size_t>(channels));
      CHECK(load >= bound * (1 - 1e-12));
      std::vector<double> sums(static_cast<std::size_t>(channels), 0);
      for (std::size_t r = 0; r < loads.size(); ++r) sums.at(static_cast<std::size_t>(assigned[r])) += loads[r];
      CHECK(*std::max_element(sums.begin(), sums.end()) == Approx(load).epsilon(1e-12));
      // Graham (1966): the channel that ends last began its last request no later than the mean.
      const double longest = *std::max_element(loads.begin(), loads.end());
      const double mean = std::accumulate(loads.begin(), loads.end(), 0.0) / channels;
      if (rule == ChannelAssignment::greedy) CHECK(load <= (mean + longest) * (1 + 1e-12));
    }
  }
}

TEST_CASE("halves of channels: first halves first, odd numbers rounded up and down in turn") {
  std::vector<bool> second;
  // Channels 0, 1 and 2 have three, two and three requests: two, one and one of them come first.
  const std::vector<std::int32_t> channels{0, 1, 2, 0, 1, 2, 0, 2};
  halve_channels(channels, 3, second);
  CHECK(second == std::vector<bool>{false, false, false, false, true, true, true, true});
  halve_channels(std::vector<std::int32_t>(7, 0), 1, second);
  CHECK(std::count(second.begin(), second.end(), true) == 3);
}

}  // namespace pimsweep::systems::llm::step
