#pragma once

#include <vector>

#include "search/fitness.h"
#include "search/space.h"

namespace pimsweep::search {

/// What a search looks for.
class DesignProblem {
 public:
  virtual ~DesignProblem() = default;
  virtual const Space& space() const = 0;
  /// Whether a design meets the conditions that need no evaluation. Designs that do not are never evaluated.
  virtual bool is_allowed(const Design& design) = 0;
  /// Evaluates a generation: designs that are allowed and that were not evaluated before. May throw to end the search.
  virtual std::vector<Fitness> evaluate(const std::vector<Design>& generation) = 0;
};

}  // namespace pimsweep::search
