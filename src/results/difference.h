#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "results/column_difference.h"

namespace pimsweep::results {

/// Property of a whole file or study that differs between two files; empty if a file lacks it.
struct NoteDifference {
  std::string name;
  std::string a;
  std::string b;
};

/// Points of a study that only one of two files has.
struct LonePoints {
  std::uint64_t count = 0;
  /// The first ones.
  std::vector<std::uint64_t> first;
};

/// Difference of a study that both files have.
struct StudyDifference {
  std::string study;
  /// System and version, units and types of columns, rows of detail tables.
  std::vector<NoteDifference> notes;
  /// Columns that only one file has; those of detail tables as "table/column".
  std::vector<std::string> columns_only_a;
  std::vector<std::string> columns_only_b;
  LonePoints only_a;
  LonePoints only_b;
  /// Points that both files have, and how many of them have another identity: another version of the system, or another
  /// definition of what they evaluate.
  std::uint64_t in_both = 0;
  std::uint64_t other_identities = 0;
  /// Axes with different values that do not distinguish points: constants of hardware files, and axes with one value in
  /// each file.
  std::vector<ColumnDifference> inputs;
  /// All other columns that differ.
  std::vector<ColumnDifference> outputs;

  bool is_equal() const;
};

/// Difference of two results files. The times, hosts and ranks of their runs do not count.
struct FileDifference {
  /// Where the results come from: versions, the experiment's text, hardware and model files. Equal results may come
  /// from different ones.
  std::vector<NoteDifference> origins;
  std::vector<std::string> studies_only_a;
  std::vector<std::string> studies_only_b;
  /// Differences of all studies that both files have.
  std::vector<StudyDifference> studies;

  /// True if both files have the same studies with the same points and values.
  bool is_equal() const;
};

struct DifferenceOptions {
  /// Numbers are equal if they differ by at most this share of the larger one.
  double tolerance = 0;
  /// Number of changed cells of each column, and of points of one file alone, that are kept.
  std::size_t max_examples = 5;
  /// Only these studies; all if empty.
  std::vector<std::string> studies = {};
};

/// Compares two results files. Points belong together if their axes are equal, but for axes with the value of a
/// hardware file, axes that only one file has and axes that have a single value in each file. Columns are read one at a
/// time: memory is 16 bytes for each row of the longest table and 48 for each point. Throws InputError for files that
/// cannot be read and studies that neither file has.
FileDifference find_differences(const std::string& file_a, const std::string& file_b, const DifferenceOptions& options);

}  // namespace pimsweep::results
