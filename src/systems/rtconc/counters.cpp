#include "systems/rtconc/counters.h"

#include <algorithm>
#include <random>

namespace pimsweep::systems::rtconc {

namespace {

constexpr double line_bytes = 64;

/// What an operation does on any threads, in instructions and cache lines.
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

}  // namespace

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
      std::poisson_distribution<long> drawn(interrupts);
      const auto read = [&](double count) {
        if (noise.interval == 0) return count;
        drawn.reset();
        return count * static_cast<double>(drawn(random)) / interrupts;
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

std::vector<std::size_t> sample_cases(std::span<const schedule::Case> cases, std::size_t count) {
  // Cases are sorted by number of threads, so that even spacing mixes both affinities.
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back((2 * i + 1) * cases.size() / (2 * count));
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace pimsweep::systems::rtconc
