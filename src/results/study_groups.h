#pragma once

#include <cstddef>
#include <vector>

#include "results/columns.h"
#include "results/study_view.h"

namespace pimsweep::results {

/// Groups of a study in a results file, and the positions of columns in the group of its points.
struct StudyGroups {
  explicit StudyGroups(const StudyView& study);

  /// The points, what the evaluation of each took, the tables of the schema, those that are known as a whole, and the
  /// bands of a study with sampled machines: in the order in which the digest has them.
  std::vector<GroupInfo> groups;
  static constexpr std::size_t points = 0;
  static constexpr std::size_t seconds = 1;
  static constexpr std::size_t first_table = 2;
  std::size_t first_filled = 0;
  /// Past the end if there are none.
  std::size_t bands = 0;

  /// Columns of the points.
  static constexpr std::size_t first_input = 1;
  std::size_t first_metric = 0;
  std::size_t status = 0;
  std::size_t message = 0;
  std::size_t identity = 0;
  /// The input with the machine of each point, if there are bands.
  std::size_t draw_input = 0;
};

}  // namespace pimsweep::results
