#include "systems/rtconc/regression_model.h"

#include <algorithm>
#include <random>

namespace pimsweep::systems::rtconc {

Observations observe(const hardware::manycore::Device& device, std::span<const schedule::Case> cases,
                     std::span<const Known> known, const Known& wanted, const Learning& learning) {
  const std::vector<std::size_t> samples = sample_cases(cases, learning.samples);
  const SampledCases sampled{cases, samples};
  const std::size_t width = samples.size() * features_of_case;

  Observations observed;
  std::vector<std::vector<double>> features;
  for (std::size_t step = 0; step < known.size(); ++step) {
    features.push_back(counted(device, known[step].classes, *known[step].times, sampled,
                               {learning.counter_interval, learning.seed + 1 + step}));
    for (std::size_t c = 0; c < known[step].classes.size(); ++c) {
      if (known[step].untimed[c] == 0) observed.places.push_back({step, c});
    }
  }
  std::mt19937_64 random(learning.seed);
  std::shuffle(observed.places.begin(), observed.places.end(), random);
  observed.places.resize(std::min(observed.places.size(), learning.max_operations));

  regression::Samples raw{width, {}};
  for (const Observations::Place& place : observed.places) {
    const auto row = features[place.step].begin() + static_cast<std::ptrdiff_t>(place.operation_class * width);
    raw.values.insert(raw.values.end(), row, row + static_cast<std::ptrdiff_t>(width));
  }
  const regression::Scaling scaling(raw);
  observed.learned = scaling(raw);
  observed.asked = scaling(
      {width, counted(device, wanted.classes, *wanted.times, sampled, {learning.counter_interval, learning.seed})});
  return observed;
}

PerformanceModel regression_model(regression::Regressor& regressor, std::span<const schedule::Case> cases,
                                  std::span<const Known> known, const Observations& observed) {
  std::vector<double> targets;
  targets.reserve(cases.size() * observed.places.size());
  for (std::size_t which = 0; which < cases.size(); ++which) {
    for (const Observations::Place& place : observed.places) {
      const Known& step = known[place.step];
      targets.push_back(1e3 * schedule::seconds_of(step.classes[place.operation_class], cases[which],
                                                   step.times->at(place.operation_class, which)));
    }
  }
  regressor.prepare(observed.learned, observed.asked);
  regressor.fit(targets);

  PerformanceModel model;
  model.prediction.cases = cases.size();
  model.steps = static_cast<double>(observed.learned.features / features_of_case);
  for (std::size_t c = 0; c < observed.asked.size(); ++c) {
    for (std::size_t which = 0; which < cases.size(); ++which) {
      model.prediction.seconds.push_back(std::max(1e-9, 1e-3 * regressor.predict(which, c)));
    }
  }
  model.basis.assign(model.prediction.seconds.size(), Basis::predicted);
  return model;
}

}  // namespace pimsweep::systems::rtconc
