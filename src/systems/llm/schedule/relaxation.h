#pragma once

#include <array>
#include <span>
#include <vector>

#include "systems/llm/schedule/problem.h"

namespace pimsweep::systems::llm::schedule {

/// Lower bounds of two sub-batches without a schedule. A makespan is at least what both jobs use of each clique of
/// resources, and at least the mean of their lengths; so it is at least each weighted mean of these, which is a sum
/// over the intervals of both. The least sum of one job is a shortest path over operator and side, for all weights at
/// once. The weights are all those in steps of a quarter; the last entry is the job's own length, of which a makespan
/// is at least the larger and not the sum. Where room is short, both take at most what there is, so that a weighted
/// mean is also at least itself with the price of what they take, less the worth of all room, at any price.
class Relaxation {
 public:
  explicit Relaxation(const StepProblem& problem);

  /// Entries of a vector of weighted sums.
  std::size_t size() const { return size_; }
  /// Ways that begin with each operator.
  std::span<const std::size_t> ways_from(std::size_t op) const { return ways_from_[op]; }

  /// Least sums of the rest of a block by operator and side of the data before it, so that they are on one side at its
  /// end, for some number of rows.
  struct Rest {
    std::size_t rows = 0;
    Side end = Side::gpu;
    std::vector<double> sums;
  };
  void fill(std::size_t rows, Side end, Rest& rest) const;
  std::span<const double> from(const Rest& rest, std::size_t op, Side side) const {
    return std::span(rest.sums).subspan((2 * op + static_cast<std::size_t>(side)) * size_, size_);
  }
  /// Adds the sums of a way, with the move to where it needs its data.
  void add(std::size_t way, Side from, std::size_t rows, std::span<double> sums) const;

  /// Least sums of a whole block of `rows` rows.
  std::vector<double> min_block(std::size_t rows) const;
  /// The makespan's bound by the sums of one block of either sub-batch.
  double bound(std::span<const double> first, std::span<const double> second) const;

  /// Sums of a given assignment of which the bound is as sharp as that of all weights: what it uses of each clique,
  /// half its length and its length.
  using Loads = std::array<double, 5>;
  Loads loads(std::span<const double> sums) const;
  double bound(const Loads& first, const Loads& second) const;

 private:
  const StepProblem& problem_;
  std::vector<std::vector<std::size_t>> ways_from_;
  std::size_t size_ = 0;
  /// The sums with all weight on one clique, or on the mean of the lengths.
  std::array<std::size_t, 4> pure_{};
  /// Contribution of a second of each set of resources to the sums.
  std::array<std::vector<double>, resource_sets> weights_;
};

}  // namespace pimsweep::systems::llm::schedule
