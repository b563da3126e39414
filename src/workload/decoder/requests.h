#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/words.h"

namespace pimsweep::workload::decoder {

/// Lengths of the sequences of a batch: all equal, sampled from a log-normal distribution, or from a table.
enum class Lengths : std::uint8_t { equal, log_normal, table };
inline constexpr Words<Lengths, 3> lengths_words{
    {{"equal", Lengths::equal}, {"log-normal", Lengths::log_normal}, {"table", Lengths::table}}};

/// A request of a user: tokens of its prompt, and tokens that are generated.
struct Request {
  std::int64_t input = 1;
  std::int64_t output = 1;
  /// Seconds since the first request of its table, if the table has times.
  std::optional<double> arrival = {};
  /// Leading tokens that the prompt shares with that of an earlier request, and the number of that request, from 0.
  std::int64_t shared_prefix = 0;
  std::int64_t shared_with = 0;
};

/// A log-normal distribution of lengths: their mean, and the standard deviation of their logarithm.
struct LengthDistribution {
  double mean = 1;
  double sigma = 0;
  std::uint64_t seed = 0;
};

/// `count` independent lengths, at least 1. Number i depends on the seed and i alone (SplitMix64, Box-Muller), so that
/// a larger batch begins with the lengths of a smaller one, on any machine.
void draw_lengths(const LengthDistribution& distribution, std::int64_t count, std::vector<std::int64_t>& lengths);

/// Contexts of `count` sequences that are generating, assigned cyclically to requests. Progress through the output is
/// spread evenly over the batch, so that a step has sequences of all ages.
void generating_contexts(std::span<const Request> requests, std::int64_t count, std::vector<std::int64_t>& lengths);

/// Prompt lengths of `count` requests, assigned cyclically.
void prompt_lengths(std::span<const Request> requests, std::int64_t count, std::vector<std::int64_t>& lengths);

}  // namespace pimsweep::workload::decoder
