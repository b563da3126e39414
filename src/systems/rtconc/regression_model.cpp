#include "systems/rtconc/regression_model.h"

#include <algorithm>
#include <random>

namespace pimsweep::systems::rtconc {

PerformanceModel regression_model(const hardware::manycore::Device& device, std::span<const schedule::Case> cases,
                                  std::span<const Known> known, const Known& wanted, const Learning& learning) {
  const std::vector<std::size_t> samples = sample_cases(cases, learning.samples);
  const SampledCases sampled{cases, samples};
  const std::size_t width = samples.size() * features_of_case;

  struct Place {
    std::size_t step;
    std::size_t operation_class;
  };
  std::vector<Place> places;
  std::vector<std::vector<double>> features;
  for (std::size_t step = 0; step < known.size(); ++step) {
    features.push_back(counted(device, known[step].classes, *known[step].times, sampled,
                               {learning.counter_interval, learning.seed + 1 + step}));
    for (std::size_t c = 0; c < known[step].classes.size(); ++c) {
      if (known[step].untimed[c] == 0) places.push_back({step, c});
    }
  }
  std::mt19937_64 random(learning.seed);
  std::shuffle(places.begin(), places.end(), random);
  places.resize(std::min(places.size(), learning.max_operations));

  regression::Samples raw{width, {}};
  for (const Place& place : places) {
    const auto row = features[place.step].begin() + static_cast<std::ptrdiff_t>(place.operation_class * width);
    raw.values.insert(raw.values.end(), row, row + static_cast<std::ptrdiff_t>(width));
  }
  const regression::Scaling scaling(raw);
  const regression::Samples learned = scaling(raw);
  const regression::Samples asked = scaling(
      {width, counted(device, wanted.classes, *wanted.times, sampled, {learning.counter_interval, learning.seed})});

  PerformanceModel model;
  model.prediction.cases = cases.size();
  model.prediction.seconds.resize(wanted.classes.size() * cases.size());
  model.basis.assign(model.prediction.seconds.size(), Basis::predicted);
  model.steps = static_cast<double>(samples.size());
  std::vector<double> targets;
  targets.reserve(cases.size() * places.size());
  for (std::size_t which = 0; which < cases.size(); ++which) {
    for (const Place& place : places) {
      const Known& step = known[place.step];
      targets.push_back(1e3 * schedule::seconds_of(step.classes[place.operation_class], cases[which],
                                                   step.times->at(place.operation_class, which)));
    }
  }
  const auto regressor = learning.make_regressor(learning.seed);
  regressor->prepare(learned, asked);
  regressor->fit(targets);
  for (std::size_t c = 0; c < wanted.classes.size(); ++c) {
    for (std::size_t which = 0; which < cases.size(); ++which) {
      model.prediction.seconds[c * cases.size() + which] = std::max(1e-9, 1e-3 * regressor->predict(which, c));
    }
  }
  return model;
}

}  // namespace pimsweep::systems::rtconc
