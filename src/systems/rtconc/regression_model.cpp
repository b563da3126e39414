#include "systems/rtconc/regression_model.h"

#include <algorithm>
#include <random>

namespace pimsweep::systems::rtconc {

namespace {

/// Features of an operation in one sample case (Sec. III-B): cycles, misses of the last cache, accesses to it and hits
/// of the first, by instructions, and the time.
constexpr std::size_t features_of_case = 5;

/// Event-based sampling: an interrupt on each core every `interval` seconds, so that a count has the Poisson error of
/// its interrupts. 0: counters are exact.
struct CounterNoise {
  double interval = 0;
  std::uint64_t seed = 0;
};

/// Some of the cases.
struct SampledCases {
  std::span<const schedule::Case> all;
  std::span<const std::size_t> sampled;
};

constexpr double line_bytes = 64;

/// Work of an operation, which does not depend on its threads, in instructions and cache lines.
struct Events {
  double instructions = 0;
  double loads = 0;
  double last_cache = 0;
};

Events events_of(const hardware::manycore::Device& device, const hardware::manycore::Work& work) {
  const hardware::manycore::Loops& l = work.loops;
  const double chunks = work.repeats * l.rows * l.columns * l.depth;
  // Issue slots that the loops take; the vector units can use only some of them.
  const double slots = l.operations / (2 * device.lanes * l.efficiency) * device.issue_width / device.fma_units;
  Events events;
  events.instructions = std::max(1.0, chunks * slots + work.shared_cycles);
  events.last_cache = chunks * (l.row_bytes + l.column_bytes + l.result_bytes) / line_bytes;
  events.last_cache = std::max(events.last_cache, work.repeats * l.memory_bytes / line_bytes);
  // Half of the instructions load or store.
  events.loads = std::max(events.last_cache, events.instructions / 2);
  return events;
}

/// The features of every class in each of the sample cases, class by class.
std::vector<double> counted(const hardware::manycore::Device& device, std::span<const schedule::OperationClass> classes,
                            const schedule::RunTimes& times, const SampledCases& cases, const CounterNoise& noise) {
  std::mt19937_64 random(noise.seed);
  std::vector<double> features;
  features.reserve(classes.size() * cases.sampled.size() * features_of_case);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const Events events = events_of(device, classes[c].work);
    for (const std::size_t which : cases.sampled) {
      const schedule::RunCost cost = schedule::cost_of(device, classes[c], cases.all[which], times.at(c, which));
      const double interrupts = noise.interval == 0 ? 1 : cost.seconds * cost.cores / noise.interval;
      std::poisson_distribution<long> sampled(interrupts);
      const auto read = [&](double count) {
        if (noise.interval == 0) return count;
        sampled.reset();
        return count * static_cast<double>(sampled(random)) / interrupts;
      };
      // Without an interrupt there are no counts.
      const double instructions = read(events.instructions);
      const double by = instructions == 0 ? 0 : 1 / instructions;
      const double misses = cost.drawn * cost.seconds / line_bytes;
      features.push_back(read(cost.seconds * cost.cores * device.clock) * by);
      features.push_back(read(misses) * by);
      features.push_back(read(events.last_cache) * by);
      features.push_back(read(std::max(0.0, events.loads - events.last_cache)) * by);
      features.push_back(1e3 * cost.seconds);
    }
  }
  return features;
}

/// `count` of the cases, evenly spread over those without and those with cache sharing.
std::vector<std::size_t> sample_cases(std::span<const schedule::Case> cases, std::size_t count) {
  // Cases are sorted by number of threads, so that even spacing mixes both affinities.
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back((2 * i + 1) * cases.size() / (2 * count));
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace

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
