#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/placed_text.h"
#include "sweep/study_blocks.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// A metric, or an expression over metrics and axes, that a search minimizes or maximizes.
struct SearchObjective {
  /// Name of a metric, which may be derived, or an expression without blanks.
  std::string name;
  /// The same over axes and metrics of the system.
  PlacedText expression;
  bool maximize = false;
};

/// A factor of the product that a search chooses from.
struct SearchDimension {
  std::uint64_t size = 1;
  /// True if neighboring steps are similar points: the numbers of one axis of the factor are monotonic.
  bool ordered = true;
};

/// `[study.search]`, resolved: the search chooses the points of the study.
struct SearchSettings {
  SearchAlgorithm algorithm = SearchAlgorithm::nsga2;
  std::int64_t seed = 0;
  /// Number of points per generation, and of all generations together.
  std::uint64_t population = 0;
  std::uint64_t points = 0;
  std::vector<SearchObjective> objectives;
  /// The factors of the product except that of the recheck, the slowest first.
  std::vector<SearchDimension> dimensions;
  /// Number of points of their product.
  std::uint64_t space = 1;
  /// Axes that change when the points of the front are evaluated again. If there are any, the recheck of point n of the
  /// space is point `space` + n of the product.
  std::vector<std::string> recheck;
  /// Schema of the names in conditions: all axes, then all numeric metrics, as axes.
  std::shared_ptr<const systems::Schema> names;
  /// Conditions over axes alone, which a point must meet to be evaluated.
  std::vector<PlacedText> where;
  /// Conditions over metrics, which a feasible point meets.
  std::vector<PlacedText> constraints;
  /// The metrics that objectives and constraints name, in the order of the schema.
  std::vector<std::size_t> observed;
};

}  // namespace pimsweep::sweep
