#include "systems/rtconc/regression/models.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace pimsweep::systems::rtconc::regression {

namespace {

template <typename Model>
std::unique_ptr<Regressor> make(std::uint64_t) {
  return std::make_unique<Model>();
}

template <typename Model>
std::unique_ptr<Regressor> make_seeded(std::uint64_t seed) {
  return std::make_unique<Model>(seed);
}

}  // namespace

const std::array<Method, 5> methods{{{"gradient-boosting", make<GradientBoosting>},
                                     {"k-neighbors", make<KNeighbors>},
                                     {"theil-sen", make_seeded<TheilSen>},
                                     {"ols", make<LeastSquares>},
                                     {"par", make_seeded<PassiveAggressive>}}};

void KNeighbors::prepare(const Samples& learned, const Samples& asked) {
  nearest_.clear();
  learned_ = learned.size();
  count_ = std::min(neighbors, learned.size());
  for (std::size_t wanted = 0; wanted < asked.size(); ++wanted) {
    const std::span<const double> features = asked.row(wanted);
    std::array<std::pair<double, std::size_t>, neighbors> nearest;
    std::size_t found = 0;
    for (std::size_t i = 0; i < learned.size(); ++i) {
      const double farthest = found == neighbors ? nearest[found - 1].first : INFINITY;
      const std::span<const double> row = learned.row(i);
      double squares = 0;
      for (std::size_t f = 0; f < features.size() && squares < farthest; ++f) {
        const double off = row[f] - features[f];
        squares += off * off;
      }
      if (squares >= farthest) continue;
      std::size_t at = found == neighbors ? found - 1 : found++;
      for (; at > 0 && nearest[at - 1].first > squares; --at) nearest[at] = nearest[at - 1];
      nearest[at] = {squares, i};
    }
    for (std::size_t i = 0; i < count_; ++i) nearest_.push_back(nearest[i].second);
  }
}

double KNeighbors::predict(std::size_t target, std::size_t asked) const {
  const double* const own = &targets_[target * learned_];
  double sum = 0;
  for (std::size_t i = 0; i < count_; ++i) sum += own[nearest_[asked * count_ + i]];
  return sum / static_cast<double>(count_);
}

namespace {

/// The longest step and the tolerated error, scikit-learn's defaults, and passes over the samples.
constexpr double max_step = 1;
constexpr double tolerance = 0.1;
constexpr int passes = 5;

}  // namespace

void PassiveAggressive::prepare(const Samples& learned, const Samples& asked) {
  keep(learned, asked);
  squares_.clear();
  for (std::size_t i = 0; i < learned.size(); ++i) {
    const std::span<const double> row = learned.row(i);
    squares_.push_back(1 + std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
  }
  std::vector<std::size_t> order(learned.size());
  std::iota(order.begin(), order.end(), 0);
  order_.clear();
  for (int pass = 0; pass < passes; ++pass) {
    std::shuffle(order.begin(), order.end(), random_);
    order_.insert(order_.end(), order.begin(), order.end());
  }
}

Plane PassiveAggressive::plane_of(std::span<const double> targets) const {
  Plane plane{std::vector<double>(learned().features), 0};
  for (const std::size_t i : order_) {
    const std::span<const double> row = learned().row(i);
    const double error = targets[i] - plane(row);
    const double loss = std::abs(error) - tolerance;
    if (loss <= 0) continue;
    const double step = std::copysign(std::min(max_step, loss / squares_[i]), error);
    for (std::size_t f = 0; f < learned().features; ++f) plane.weights[f] += step * row[f];
    plane.intercept += step;
  }
  return plane;
}

}  // namespace pimsweep::systems::rtconc::regression
