#include "systems/rtconc/hill_climbing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace pimsweep::systems::rtconc {

namespace {

struct Measured {
  double threads = 1;
  double seconds = 0;
};

/// The line through the two neighbors, or through the last two.
double on_line(std::span<const Measured> climbed, double threads) {
  if (climbed.size() == 1) return climbed[0].seconds;
  std::size_t right = 1;
  while (right + 1 < climbed.size() && climbed[right].threads < threads) ++right;
  const Measured& a = climbed[right - 1];
  const Measured& b = climbed[right];
  const double seconds = a.seconds + (b.seconds - a.seconds) * (threads - a.threads) / (b.threads - a.threads);
  // A falling line may drop below zero.
  return std::max(seconds, std::min(a.seconds, b.seconds) * std::numeric_limits<double>::epsilon());
}

template <typename Visit>
void for_each_unmeasured(const PerformanceModel& model, const schedule::CostTable& costs, const Visit& visit) {
  for (std::size_t c = 0; c < costs.classes(); ++c) {
    if (model.untimed[c] != 0) continue;
    for (std::size_t which = 0; which < costs.cases(); ++which) {
      const std::size_t i = c * costs.cases() + which;
      if (model.measured[i] == 0) visit(model.prediction.seconds[i], costs.at(c, which).seconds);
    }
  }
}

}  // namespace

PerformanceModel hill_climbing(const hardware::manycore::Device& device,
                               std::span<const schedule::OperationClass> classes, std::span<const schedule::Case> cases,
                               std::int64_t interval, Sharing sharing, double noise, std::uint64_t seed) {
  using hardware::manycore::Affinity;
  const double tiles = std::ceil(device.cores / device.cores_per_tile);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> error(0, 1);
  PerformanceModel model;
  model.prediction.cases = cases.size();
  std::vector<Measured> climbed;
  climbed.reserve(static_cast<std::size_t>(device.cores) + 1);
  std::size_t max_steps[2] = {0, 0};
  for (const schedule::OperationClass& one : classes) {
    const std::size_t first = model.prediction.seconds.size();
    model.prediction.seconds.resize(first + cases.size(), std::numeric_limits<double>::infinity());
    model.measured.resize(first + cases.size(), 0);
    for (const Affinity affinity : {Affinity::spread, Affinity::compact}) {
      if (sharing == (affinity == Affinity::spread ? Sharing::with : Sharing::without)) continue;
      const double most = affinity == Affinity::spread ? tiles : device.cores;
      climbed.clear();
      for (double threads = 1;; threads = std::min(most, threads + static_cast<double>(interval))) {
        double seconds = schedule::cost_of(device, one, {threads, affinity}).seconds;
        if (noise > 0) seconds *= std::max(0.01, 1 + noise * error(random));
        const bool rises = !climbed.empty() && seconds > climbed.back().seconds;
        climbed.push_back({threads, seconds});
        if (rises || threads == most) break;
      }
      std::size_t& steps = max_steps[affinity == Affinity::spread ? 0 : 1];
      steps = std::max(steps, climbed.size());
      for (std::size_t which = 0; which < cases.size(); ++which) {
        if (cases[which].affinity != affinity) continue;
        model.prediction.seconds[first + which] = on_line(climbed, cases[which].threads);
        const bool measured = std::any_of(climbed.begin(), climbed.end(),
                                          [&](const Measured& run) { return run.threads == cases[which].threads; });
        model.measured[first + which] = measured ? 1 : 0;
      }
    }
    if (sharing == Sharing::both) continue;
    // An affinity that is never tried takes the predictions of the other one.
    for (std::size_t which = 0; which < cases.size(); ++which) {
      if (std::isinf(model.prediction.seconds[first + which])) {
        model.prediction.seconds[first + which] = on_line(climbed, cases[which].threads);
      }
    }
  }
  model.steps = static_cast<double>(max_steps[0] + max_steps[1]);
  return model;
}

PerformanceModel known_times(const schedule::CostTable& costs) {
  PerformanceModel model;
  model.prediction.cases = costs.cases();
  for (std::size_t c = 0; c < costs.classes(); ++c) {
    for (const schedule::RunCost& cost : costs.of(c)) model.prediction.seconds.push_back(cost.seconds);
  }
  model.measured.assign(model.prediction.seconds.size(), 1);
  model.steps = static_cast<double>(costs.cases());
  return model;
}

double accuracy(const PerformanceModel& model, const schedule::CostTable& costs) {
  double wrong = 0;
  double count = 0;
  for_each_unmeasured(model, costs, [&](double predicted, double seconds) {
    wrong += std::abs(predicted - seconds) / seconds;
    ++count;
  });
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : 1 - wrong / count;
}

double weighted_accuracy(const PerformanceModel& model, const schedule::CostTable& costs) {
  double wrong = 0;
  double sum = 0;
  for_each_unmeasured(model, costs, [&](double predicted, double seconds) {
    wrong += std::abs(predicted - seconds);
    sum += seconds;
  });
  return sum == 0 ? std::numeric_limits<double>::quiet_NaN() : 1 - wrong / sum;
}

double determination(const PerformanceModel& model, const schedule::CostTable& costs) {
  double sum = 0;
  double count = 0;
  for_each_unmeasured(model, costs, [&](double, double seconds) {
    sum += seconds;
    ++count;
  });
  double residual = 0;
  double total = 0;
  for_each_unmeasured(model, costs, [&](double predicted, double seconds) {
    residual += (predicted - seconds) * (predicted - seconds);
    total += (seconds - sum / count) * (seconds - sum / count);
  });
  return total == 0 ? std::numeric_limits<double>::quiet_NaN() : 1 - residual / total;
}

}  // namespace pimsweep::systems::rtconc
