#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/column_info.h"
#include "results/study_bands.h"
#include "results/study_view.h"

namespace pimsweep::results {

/// The columns of a detail table, each row with the number of its point. `source`: origin of its values.
GroupInfo table_group(const systems::Table& table, const std::string& source);

/// Name and version of a study's system: the origin of its results.
std::string source_of_results(const systems::Schema& schema);

/// The groups that a study has in a results file, and what stands where in that of its points.
struct StudyGroups {
  explicit StudyGroups(const StudyView& study);

  GroupInfo points;
  /// What the evaluation of each point took.
  GroupInfo seconds;
  /// Those of the schema.
  std::vector<GroupInfo> tables;

  std::size_t first_input = 1;
  std::size_t first_metric = 0;
  std::size_t status = 0;
  std::size_t message = 0;
  std::size_t identity = 0;
  /// The input with the machine of each point, if the study has drawn machines; otherwise 0.
  std::size_t draw = 0;
};

}  // namespace pimsweep::results
