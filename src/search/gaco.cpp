#include "search/gaco.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace pimsweep::search {

namespace {

/// Relative widening of the kernels for each consecutive ant without a new design. A third of it and five times as much
/// find as many designs in the space of docs/search.md.
constexpr double widening_step = 0.1;

/// A normally distributed number, mean 0 and variance 1: the sum of 64 fair bits and a uniform number, so that all
/// machines compute the same bits.
double normal_number(SplitMix64& random) {
  const double bits = std::popcount(random()) - 32;
  const double fraction = unit_number(random) - 0.5;
  return (bits + fraction) / std::sqrt(16 + 1.0 / 12);
}

}  // namespace

Gaco::Gaco(const Space& space, std::uint64_t population, std::uint64_t seed)
    : space_(space), random_(SplitMix64::mix(seed)), first_(sobol_designs(space, seed)), archive_(population) {}

const Design& Gaco::draw_from_archive() {
  // The better of two samples: as in the paper, weights decrease linearly with the rank.
  return archive_[std::min(below(random_, archive_.size()), below(random_, archive_.size()))].design;
}

std::uint64_t Gaco::draw_near(std::uint64_t mean, double deviation, std::uint64_t size) {
  const auto steps = static_cast<std::int64_t>(std::llround(deviation * normal_number(random_)));
  // Reflection at both ends makes a wide kernel uniform.
  const auto period = static_cast<std::int64_t>(2 * size);
  const std::int64_t place = ((static_cast<std::int64_t>(mean) + steps) % period + period) % period;
  return static_cast<std::uint64_t>(std::min(place, period - 1 - place));
}

Design Gaco::ant(double widening) {
  // Base pheromone of all values of a category: it changes one dimension per ant on average.
  const double initial_pheromone = widening / static_cast<double>(space_.dimensions().size());
  Design design = draw_from_archive();
  for (std::size_t i = 0; i < design.size(); ++i) {
    const sweep::SearchDimension& dimension = space_.dimensions()[i];
    if (dimension.ordered) {
      design[i] = draw_near(design[i], widening * deviations_[i], dimension.size);
    } else if (unit_number(random_) < initial_pheromone) {
      design[i] = below(random_, dimension.size);
    } else {
      design[i] = draw_from_archive()[i];
    }
  }
  return design;
}

std::vector<Design> Gaco::propose(Candidates& candidates, std::uint64_t count) {
  if (archive_.empty()) return take_next(*first_, candidates, count);
  std::vector<Design> ants;
  std::uint64_t failed_draws = 0;
  while (ants.size() < count && !candidates.is_exhausted() && failed_draws < max_failed_draws) {
    Design design = ant(1 + widening_step * static_cast<double>(failed_draws));
    if (candidates.claim(design)) {
      ants.push_back(std::move(design));
      failed_draws = 0;
    } else {
      ++failed_draws;
    }
  }
  return ants;
}

void Gaco::learn(const std::vector<Design>& designs, const std::vector<Fitness>& results) {
  archive_.add(designs, results);
  ++generation_;
  // The equation of the paper for integers, with distances within the archive.
  const auto generation = static_cast<double>(generation_);
  const auto ordered = static_cast<double>(std::ranges::count_if(
      space_.dimensions(), [](const sweep::SearchDimension& dimension) { return dimension.ordered; }));
  const double min_deviation = std::max(1 / generation, (1 - 1 / std::sqrt(std::max(1.0, ordered))) / 2);
  deviations_.resize(space_.dimensions().size());
  for (std::size_t i = 0; i < deviations_.size(); ++i) {
    const auto [low, high] =
        std::ranges::minmax(archive_, {}, [i](const Archive::Entry& entry) { return entry.design[i]; });
    deviations_[i] = std::max(static_cast<double>(high.design[i] - low.design[i]) / generation, min_deviation);
  }
}

}  // namespace pimsweep::search
