#include "workload/decoder/routing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"

namespace pimsweep::workload::decoder {

namespace {

void require_shares(const Experts& experts, std::span<const double> shares) {
  if (static_cast<std::int64_t>(shares.size()) != experts.count) {
    throw PointError(
        fmt::format("routing has shares of {} experts, but the model has {}", shares.size(), experts.count));
  }
  if (std::ranges::any_of(shares, [](double share) { return !(share >= 0) || std::isinf(share); })) {
    throw PointError("routing has a share that is negative or no number");
  }
  if (std::ranges::none_of(shares, [](double share) { return share > 0; })) {
    throw PointError("routing: no expert has a share above zero");
  }
}

}  // namespace

std::vector<double> zipf_shares(std::int64_t count, double exponent) {
  std::vector<double> shares;
  for (std::int64_t i = 1; i <= count; ++i) shares.push_back(std::pow(static_cast<double>(i), -exponent));
  return shares;
}

std::vector<double> choice_probabilities(const Experts& experts, std::span<const double> shares) {
  require_shares(experts, shares);
  std::vector<double> probabilities(shares.size(), 0);
  double left = static_cast<double>(experts.per_token);
  double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  // Each round fills the experts that would get more than 1; at most as many rounds as experts.
  for (bool is_done = false; !is_done && sum > 0;) {
    is_done = true;
    const double factor = left / sum;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (probabilities[i] == 1 || shares[i] * factor < 1) continue;
      probabilities[i] = 1;
      left -= 1;
      sum -= shares[i];
      is_done = false;
    }
  }
  // Rounding may leave a trace of a share of experts that are full.
  const auto is_open = [&](std::size_t i) { return probabilities[i] < 1 && shares[i] > 0; };
  double open = 0;
  double others = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (is_open(i)) open += shares[i];
    if (shares[i] == 0) ++others;
  }
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (is_open(i)) probabilities[i] = std::min(1.0, shares[i] / open * left);
    if (open == 0 && shares[i] == 0) probabilities[i] = std::max(0.0, left) / others;
  }
  return probabilities;
}

void expert_loads(std::span<const double> probabilities, double tokens, std::vector<ExpertLoad>& loads) {
  loads.clear();
  ExpertLoad load;
  double last = -1;
  for (const double probability : probabilities) {
    // Equal neighbors, as all are without skew, cost one power.
    if (probability != last) {
      const double active = 1 - std::pow(1 - probability, tokens);
      load = {active, active > 0 ? probability * tokens / active : 0};
      last = probability;
    }
    loads.push_back(load);
  }
}

}  // namespace pimsweep::workload::decoder
