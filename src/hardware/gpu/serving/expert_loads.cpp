#include "hardware/gpu/serving/expert_loads.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace pimsweep::hardware::gpu::serving {

namespace {

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Rounds of scaling of the loads below the cap of `tokens`.
constexpr int cap_rounds = 4;
constexpr double cap_slack = 0.999;

/// Loads of all experts, in increasing order.
std::vector<double> loads_of_law(const ExpertRouting& routing) {
  const double total = routing.tokens * routing.per_token;
  const bool is_dense = total > routing.experts;
  const double low = is_dense ? 1 : 0.01;
  const double high = is_dense ? std::max(0.8 * routing.tokens, 1.0001) : 2;
  const double power = 1 - routing.skew;
  std::vector<double> loads;
  loads.reserve(static_cast<std::size_t>(routing.experts));
  for (int i = 0; i < static_cast<int>(routing.experts); ++i) {
    const double share = (i + 0.5) / routing.experts;
    // The law with exponent 1 is its limit.
    loads.push_back(
        std::abs(power) < 1e-9
            ? low * std::pow(high / low, share)
            : std::pow((std::pow(high, power) - std::pow(low, power)) * share + std::pow(low, power), 1 / power));
  }
  const double scale = total / sum(loads);
  for (double& load : loads) load = std::min(load * scale, routing.tokens);
  for (int round = 0; round < cap_rounds; ++round) {
    double below = 0;
    double capped = 0;
    for (const double load : loads) (load < routing.tokens ? below : capped) += load;
    if (below + capped >= cap_slack * total || below == 0) break;
    const double more = (total - capped) / below;
    for (double& load : loads) {
      if (load < routing.tokens) load = std::min(load * more, routing.tokens);
    }
  }
  return loads;
}

/// Expected maximum of `count` standard normal values: the quantile (n - 3/8) / (n + 1/4) (Blom, Statistical Estimates
/// and Transformed Beta-Variables, 1958) in Tukey's approximation by a lambda distribution.
double expected_maximum(double count) {
  const double share = (count - 0.375) / (count + 0.25);
  return 4.91 * (std::pow(share, 0.14) - std::pow(1 - share, 0.14));
}

/// The loads of the most loaded of several GPUs: as even a sample of all as there can be, scaled to its expected sum.
std::vector<double> busiest_gpu(const std::vector<double>& all, const ExpertRouting& routing) {
  const double count = std::max(1.0, std::floor(routing.experts / routing.ranks));
  const double experts = static_cast<double>(all.size());
  const double mean = sum(all) / experts;
  double squares = 0;
  for (const double load : all) squares += (load - mean) * (load - mean);
  // Variance between experts, and of the number of tokens that fall on each.
  const double deviation = std::sqrt(count * squares / experts + count * mean);
  const double wanted =
      std::max({count * mean + deviation * expected_maximum(routing.ranks), all.back() + (count - 1) * mean, 1.0});
  std::vector<double> loads;
  loads.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < static_cast<int>(count); ++i) {
    loads.push_back(all[static_cast<std::size_t>((i + 0.5) / count * experts)]);
  }
  const double scale = wanted / sum(loads);
  for (double& load : loads) load = std::min(load * scale, routing.tokens);
  return loads;
}

}  // namespace

std::vector<ExpertGroup> expert_loads(const ExpertRouting& routing) {
  const double count = std::max(1.0, std::floor(routing.experts / routing.ranks));
  std::vector<ExpertGroup> groups;
  if (routing.skew == 0) {
    const double load = std::max(routing.tokens * routing.per_token / routing.experts, 1 / count);
    groups.push_back({count * std::min(1.0, load), std::max(1.0, load)});
  } else {
    std::vector<double> loads = loads_of_law(routing);
    if (routing.ranks > 1) loads = busiest_gpu(loads, routing);
    for (const double load : loads) groups.push_back({std::min(1.0, load), std::max(1.0, load)});
  }
  // At least one expert has a token.
  double active = 0;
  for (const ExpertGroup& group : groups) active += group.count;
  if (active < 1) {
    for (ExpertGroup& group : groups) group.count /= active;
  }
  return groups;
}

}  // namespace pimsweep::hardware::gpu::serving
