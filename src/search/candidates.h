#pragma once

#include <cstdint>
#include <memory>
#include <unordered_set>
#include <vector>

#include "base/splitmix64.h"
#include "search/design_problem.h"

namespace pimsweep::search {

/// A uniformly distributed number below `bound`.
std::uint64_t below(SplitMix64& random, std::uint64_t bound);
/// A uniformly distributed number in [0, 1).
double unit_number(SplitMix64& random);

/// Tracks the designs that a search has used, so that none is evaluated twice.
class Candidates {
 public:
  explicit Candidates(DesignProblem& problem) : problem_(problem) {}

  /// Returns true if a design is allowed and new, and marks it as used.
  bool claim(const Design& design);
  /// True if every design has been used.
  bool is_exhausted() const { return taken_.size() == problem_.space().size(); }
  const Space& space() const { return problem_.space(); }

 private:
  DesignProblem& problem_;
  std::unordered_set<std::uint64_t> taken_;
};

/// Number of consecutive failed draws (no new design) after which a search considers the space exhausted. If one design
/// in a thousand is allowed and new, this happens once in 10^43 searches.
inline constexpr std::uint64_t max_failed_draws = 100'000;

/// An endless sequence of designs: uniformly distributed, or those of a Sobol sequence.
class DesignSequence {
 public:
  virtual ~DesignSequence() = default;
  virtual Design next() = 0;
};
std::unique_ptr<DesignSequence> random_designs(const Space& space, std::uint64_t seed);
std::unique_ptr<DesignSequence> sobol_designs(const Space& space, std::uint64_t seed);

/// The next `count` designs of a sequence that are allowed and new; fewer after max_failed_draws draws without
/// a new one.
std::vector<Design> take_next(DesignSequence& sequence, Candidates& candidates, std::uint64_t count);

}  // namespace pimsweep::search
