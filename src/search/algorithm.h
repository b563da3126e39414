#pragma once

#include <cstdint>
#include <vector>

#include "search/candidates.h"
#include "search/fitness.h"

namespace pimsweep::search {

/// Algorithm of a search: proposes designs generation by generation and learns from their results.
///
///     while (!(generation = algorithm.propose(candidates, population)).empty())
///       algorithm.learn(generation, problem.evaluate(generation));
///
/// A sequence of proposals depends only on the settings and the results, so that a search can be repeated.
class Algorithm {
 public:
  virtual ~Algorithm() = default;
  /// The next generation of at most `count` new designs, which are marked in `candidates`; empty if none is found.
  virtual std::vector<Design> propose(Candidates& candidates, std::uint64_t count) = 0;
  /// Processes the results of the designs proposed last.
  virtual void learn(const std::vector<Design>& designs, const std::vector<Fitness>& results) = 0;
};

}  // namespace pimsweep::search
