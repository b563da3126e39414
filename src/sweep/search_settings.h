#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/placed_text.h"
#include "sweep/experiment_file.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// A metric that a search minimizes or maximizes.
struct SearchObjective {
  std::size_t metric = 0;
  bool maximize = false;
};

/// A factor of the product that a search chooses from.
struct SearchDimension {
  std::uint64_t size = 1;
  /// Whether neighboring steps mean similar points: one of the factor's axes has numbers that only rise or only fall.
  bool ordered = true;
};

/// `[study.search]`, resolved. The points of the study are those that the search chooses.
struct SearchSettings {
  SearchAlgorithm algorithm = SearchAlgorithm::nsga2;
  std::int64_t seed = 0;
  /// Points of a generation, and of all generations together.
  std::uint64_t population = 0;
  std::uint64_t points = 0;
  std::vector<SearchObjective> objectives;
  /// The factors of the product, without that of the recheck. The first one is the slowest.
  std::vector<SearchDimension> dimensions;
  /// Points of their product.
  std::uint64_t space = 1;
  /// Axes that have other values when the points of the front are evaluated once more. If there are any, point n of the
  /// space is then point `space` + n of the product.
  std::vector<std::string> recheck;
  /// What conditions are compiled against: all axes, then the metrics that are numbers, as axes.
  std::shared_ptr<const systems::Schema> names;
  /// Conditions over axes alone, which a point must meet to be evaluated.
  std::vector<PlacedText> where;
  /// Conditions over metrics, which a feasible point meets.
  std::vector<PlacedText> constraints;
  /// The metrics that objectives and constraints name, in the order of the schema.
  std::vector<std::size_t> observed;
};

}  // namespace pimsweep::sweep
