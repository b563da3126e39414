#pragma once

#include <vector>

#include "search/fitness.h"
#include "search/space.h"

namespace pimsweep::search {

/// Design space and evaluation of a search.
class DesignProblem {
 public:
  virtual ~DesignProblem() = default;
  virtual const Space& space() const = 0;
  /// True if a design satisfies the conditions over axes alone. Other designs are never evaluated.
  virtual bool is_allowed(const Design& design) = 0;
  /// Evaluates a generation of allowed designs, each for the first time. May throw to end the search.
  virtual std::vector<Fitness> evaluate(const std::vector<Design>& generation) = 0;
};

}  // namespace pimsweep::search
