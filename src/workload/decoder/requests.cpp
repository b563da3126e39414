#include "workload/decoder/requests.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random_numbers.h"
#include "base/splitmix64.h"

namespace pimsweep::workload::decoder {

namespace {

/// A standard normal number for each place of a seed's sequence.
double normal_number(std::uint64_t seed, std::uint64_t n) {
  return standard_normal(open_unit(SplitMix64::nth(seed, 2 * n)), open_unit(SplitMix64::nth(seed, 2 * n + 1)));
}

const Request& in_turn(std::span<const Request> requests, std::int64_t i) {
  return requests[static_cast<std::size_t>(i) % requests.size()];
}

}  // namespace

void draw_lengths(const LengthDistribution& distribution, std::int64_t count, std::vector<std::int64_t>& lengths) {
  lengths.clear();
  // The largest context of the system; beyond it a length would only be a number.
  constexpr double longest = 1 << 24;
  const double center = std::log(distribution.mean) - distribution.sigma * distribution.sigma / 2;
  for (std::int64_t i = 0; i < count; ++i) {
    const double normal = normal_number(distribution.seed, static_cast<std::uint64_t>(i));
    const double length = std::round(std::exp(center + distribution.sigma * normal));
    lengths.push_back(static_cast<std::int64_t>(std::clamp(length, 1.0, longest)));
  }
}

void generating_contexts(std::span<const Request> requests, std::int64_t count, std::vector<std::int64_t>& lengths) {
  lengths.clear();
  // Fractions of the golden ratio fill the outputs evenly, whatever the order of the requests.
  const double step = std::numbers::phi - 1;
  for (std::int64_t i = 0; i < count; ++i) {
    const Request& request = in_turn(requests, i);
    const double place = static_cast<double>(i) * step;
    const double fraction = place - std::floor(place);
    lengths.push_back(request.input + static_cast<std::int64_t>(fraction * static_cast<double>(request.output)));
  }
}

void prompt_lengths(std::span<const Request> requests, std::int64_t count, std::vector<std::int64_t>& lengths) {
  lengths.clear();
  for (std::int64_t i = 0; i < count; ++i) lengths.push_back(in_turn(requests, i).input);
}

}  // namespace pimsweep::workload::decoder
