#pragma once

#include <cstdint>
#include <vector>

#include "driver/observation.h"

namespace pimsweep::driver {

/// Log of a search: a row for each point that it chose, in their order.
struct SearchLog {
  struct Row {
    /// Counts from 1; the points of the recheck are the last generation.
    std::uint32_t generation = 0;
    Observation observation{};
    /// The objectives as numbers to minimize, if the point has all of them; otherwise empty.
    std::vector<double> objectives{};
    /// True if the point has a result that meets all constraints.
    bool is_feasible = false;
    /// True if it is Pareto-optimal among the feasible points of the search, or among those of the recheck.
    bool is_in_front = false;
  };
  std::vector<Row> rows;

  /// The points up to the end of a generation of the search.
  struct Generation {
    /// Points so far; those without a feasible result; those that are Pareto-optimal.
    std::uint64_t points = 0;
    std::uint64_t infeasible = 0;
    std::uint64_t front = 0;
    /// The share of the box between the best and the worst values of all feasible points that the front dominates; NaN
    /// if it was not computed.
    double hypervolume = 0;
  };
  std::vector<Generation> generations;
  /// Points whose results were known before.
  std::uint64_t reused = 0;
};

}  // namespace pimsweep::driver
