#include "systems/rtconc/hill_climbing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace pimsweep::systems::rtconc {

namespace {

struct Measured {
  double threads = 1;
  double seconds = 0;
};

/// The line through the two neighbors; beyond the first and the last, their times.
double interpolated(std::span<const Measured> climbed, double threads) {
  if (threads <= climbed.front().threads) return climbed.front().seconds;
  if (threads >= climbed.back().threads) return climbed.back().seconds;
  const auto right = std::ranges::lower_bound(climbed, threads, {}, &Measured::threads);
  const Measured& a = *(right - 1);
  const Measured& b = *right;
  if (b.threads == threads) return b.seconds;
  return a.seconds + (b.seconds - a.seconds) * (threads - a.threads) / (b.threads - a.threads);
}

Basis basis_of(std::span<const Measured> climbed, double threads) {
  if (std::ranges::find(climbed, threads, &Measured::threads) != climbed.end()) return Basis::measured;
  const bool between = threads > climbed.front().threads && threads < climbed.back().threads;
  return between ? Basis::predicted : Basis::unknown;
}

/// Numbers of threads of a climb. Threads that share a tile come in pairs (Sec. III-B: even numbers only).
struct Stairs {
  double interval = 1;
  double last = 1;
  bool pairs = false;

  double at(double step) const {
    const double threads = 1 + step * interval;
    return std::min(last, pairs ? 2 * std::ceil(threads / 2) : threads);
  }
};

Stairs stairs_of(const hardware::manycore::Device& device, hardware::manycore::Affinity affinity, double interval) {
  if (affinity == hardware::manycore::Affinity::spread) {
    return {interval, std::ceil(device.cores / device.cores_per_tile), false};
  }
  return {interval, std::max(1.0, 2 * std::floor(device.cores / 2)), true};
}

/// Measures until the time rises or the last number of threads is reached.
template <typename Measure>
void climb(const Stairs& stairs, const Measure& measure, std::vector<Measured>& climbed) {
  climbed.clear();
  for (double step = 0;; ++step) {
    const double threads = stairs.at(step);
    if (!climbed.empty() && threads == climbed.back().threads) continue;
    const double seconds = measure(threads);
    const bool rises = !climbed.empty() && seconds > climbed.back().seconds;
    climbed.push_back({threads, seconds});
    if (rises || threads == stairs.last) return;
  }
}

/// The places of cases by number of threads and affinity.
class CaseNumbers {
 public:
  explicit CaseNumbers(std::span<const schedule::Case> cases) {
    for (std::size_t which = 0; which < cases.size(); ++which) {
      std::vector<std::size_t>& numbers = by_threads_[place_of(cases[which].affinity)];
      numbers.resize(static_cast<std::size_t>(cases[which].threads) + 1);
      numbers.back() = which;
    }
  }
  /// One thread has a tile alone, whatever its affinity.
  std::size_t of(double threads, hardware::manycore::Affinity affinity) const {
    return threads == 1 ? 0 : by_threads_[place_of(affinity)].at(static_cast<std::size_t>(threads));
  }
  static std::size_t place_of(hardware::manycore::Affinity affinity) {
    return affinity == hardware::manycore::Affinity::spread ? 0 : 1;
  }

 private:
  std::vector<std::size_t> by_threads_[2];
};

template <typename Visit>
void for_each_predicted(const PerformanceModel& model, const schedule::CostTable& costs, const Visit& visit) {
  for (std::size_t c = 0; c < costs.classes(); ++c) {
    if (model.untimed[c] != 0) continue;
    for (std::size_t which = 0; which < costs.cases(); ++which) {
      const std::size_t i = c * costs.cases() + which;
      if (model.basis[i] == Basis::predicted) visit(model.prediction.seconds[i], costs.at(c, which).seconds);
    }
  }
}

}  // namespace

PerformanceModel hill_climbing(const hardware::manycore::Device& device, const schedule::CostTable& costs,
                               std::span<const schedule::Case> cases, std::int64_t interval, Sharing sharing,
                               double noise, std::uint64_t seed) {
  using hardware::manycore::Affinity;
  std::mt19937_64 random(seed);
  std::normal_distribution<double> error(0, 1);
  PerformanceModel model;
  model.prediction.cases = cases.size();
  model.prediction.seconds.reserve(costs.classes() * cases.size());
  model.basis.reserve(costs.classes() * cases.size());
  std::vector<Measured> climbed[2];
  std::size_t max_steps[2] = {0, 0};
  const CaseNumbers numbers(cases);
  for (std::size_t c = 0; c < costs.classes(); ++c) {
    for (const Affinity affinity : {Affinity::spread, Affinity::compact}) {
      if (sharing == (affinity == Affinity::spread ? Sharing::with : Sharing::without)) continue;
      const std::size_t place = CaseNumbers::place_of(affinity);
      const auto measure = [&](double threads) {
        const double seconds = costs.at(c, numbers.of(threads, affinity)).seconds;
        return noise > 0 ? seconds * std::max(0.01, 1 + noise * error(random)) : seconds;
      };
      climb(stairs_of(device, affinity, static_cast<double>(interval)), measure, climbed[place]);
      max_steps[place] = std::max(max_steps[place], climbed[place].size());
    }
    for (const schedule::Case& which : cases) {
      const std::size_t own = CaseNumbers::place_of(which.affinity);
      // An affinity that is never tried takes the predictions of the other one.
      const std::vector<Measured>& found = climbed[own].empty() ? climbed[1 - own] : climbed[own];
      model.prediction.seconds.push_back(interpolated(found, which.threads));
      const Basis basis = basis_of(found, which.threads);
      model.basis.push_back(basis == Basis::measured && climbed[own].empty() ? Basis::predicted : basis);
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
  model.basis.assign(model.prediction.seconds.size(), Basis::measured);
  model.steps = static_cast<double>(costs.cases());
  return model;
}

double accuracy(const PerformanceModel& model, const schedule::CostTable& costs) {
  double wrong = 0;
  double count = 0;
  for_each_predicted(model, costs, [&](double predicted, double seconds) {
    wrong += std::abs(predicted - seconds) / seconds;
    ++count;
  });
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : 1 - wrong / count;
}

double weighted_accuracy(const PerformanceModel& model, const schedule::CostTable& costs) {
  double wrong = 0;
  double sum = 0;
  for_each_predicted(model, costs, [&](double predicted, double seconds) {
    wrong += std::abs(predicted - seconds);
    sum += seconds;
  });
  return sum == 0 ? std::numeric_limits<double>::quiet_NaN() : 1 - wrong / sum;
}

double determination(const PerformanceModel& model, const schedule::CostTable& costs) {
  double sum = 0;
  double count = 0;
  for_each_predicted(model, costs, [&](double, double seconds) {
    sum += seconds;
    ++count;
  });
  double residual = 0;
  double total = 0;
  for_each_predicted(model, costs, [&](double predicted, double seconds) {
    residual += (predicted - seconds) * (predicted - seconds);
    total += (seconds - sum / count) * (seconds - sum / count);
  });
  return total == 0 ? std::numeric_limits<double>::quiet_NaN() : 1 - residual / total;
}

}  // namespace pimsweep::systems::rtconc
