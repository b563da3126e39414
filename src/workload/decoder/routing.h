#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/words.h"
#include "workload/decoder/decoder.h"

namespace pimsweep::workload::decoder {

/// Distribution of tokens over the experts of a block: uniform, by Zipf's law, or from a table.
enum class Routing : std::uint8_t { uniform, zipf, table };
inline constexpr Words<Routing, 3> routing_words{
    {{"uniform", Routing::uniform}, {"zipf", Routing::zipf}, {"table", Routing::table}}};

/// Work of an expert in a step, as expected over random choices.
struct ExpertLoad {
  /// Probability that any token of the step passes through the expert.
  double active = 0;
  /// Expected tokens of the expert where there are any.
  double tokens = 0;
};

/// Zipf's law: expert i of `count` has the share i^-exponent, up to a factor.
std::vector<double> zipf_shares(std::int64_t count, double exponent);

/// Probability that a token chooses each expert, from shares of any sum. Probabilities add up to `per_token`, and none
/// is above 1, since a token chooses distinct experts: an excess above 1 is divided among the other experts in
/// proportion to their shares. If fewer than `per_token` experts have a share, the rest are chosen uniformly. Throws
/// PointError if there are more shares or fewer than experts, if one is negative, or if all are zero.
std::vector<double> choice_probabilities(const Experts& experts, std::span<const double> shares);

/// Loads of the experts of a block, in their order, for tokens that choose independently of each other: expert i with
/// probability p_i has any of T tokens with 1 - (1 - p_i)^T, and p_i T tokens in total. These are expected values;
/// nothing is sampled.
void expert_loads(std::span<const double> probabilities, double tokens, std::vector<ExpertLoad>& loads);

}  // namespace pimsweep::workload::decoder
