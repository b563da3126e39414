#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "systems/rtconc/schedule/cost_table.h"

namespace pimsweep::systems::rtconc {

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

/// The features of every class in each of the sample cases, class by class.
std::vector<double> counted(const hardware::manycore::Device& device, std::span<const schedule::OperationClass> classes,
                            const schedule::RunTimes& times, const SampledCases& cases, const CounterNoise& noise);

/// `count` of the cases, evenly spread over those without and those with cache sharing.
std::vector<std::size_t> sample_cases(std::span<const schedule::Case> cases, std::size_t count);

}  // namespace pimsweep::systems::rtconc
