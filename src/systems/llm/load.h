#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "systems/llm/settings.h"
#include "workload/decoder/tables.h"

namespace pimsweep::systems::llm {

/// The sequences of a point, and how its tokens choose experts. Keeps its memory.
class LoadReader {
 public:
  explicit LoadReader(workload::decoder::Tables& tables) : tables_(&tables) {}

  /// Reads the lengths and the routing of a point. Throws PointError if they do not match its phase.
  void read(const Sequencing& sequencing, const workload::decoder::Decoder& decoder);

  /// Probability that a token chooses each expert; empty: all alike.
  std::span<const double> routing() const { return routing_; }
  /// Tokens of a sequence before the new ones, on average.
  double mean_context() const;
  /// Tokens that each sequence has in memory at the end.
  double final_tokens() const;
  /// Tokens of a batch that count: those generated, or those of prompts.
  double tokens_of(double batch) const;

  /// Sequences of a batch that generate, in a mixed step with the chunk of a prompt; and the prompts of a batch. Valid
  /// until the next call.
  std::span<const workload::decoder::Sequences> generating(double batch);
  std::span<const workload::decoder::Sequences> prompts(double batch);

 private:
  void read_lengths();
  void read_routing(const workload::decoder::Experts& experts);

  workload::decoder::Tables* tables_;
  const Sequencing* sequencing_ = nullptr;
  std::vector<double> routing_;
  /// Lengths of sequences that are not all equal.
  std::vector<std::int64_t> lengths_;
  std::vector<workload::decoder::Sequences> sequences_;
};

}  // namespace pimsweep::systems::llm
