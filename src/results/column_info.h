#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/value.h"

namespace pimsweep::results {

/// Rows of a block, which is a chunk of each column. Smaller chunks compress worse, larger ones cost memory in every
/// reader.
inline constexpr std::size_t block_rows = 16384;

/// Name, type and attributes of a column.
struct ColumnInfo {
  std::string name;
  std::string unit;
  std::string long_name;
  std::string source;
  std::string role;
  /// Booleans are stored as integers of 8 bits whose values `flags` names.
  ValueType type = ValueType::real;
  /// Names of the values 0, 1, ... of a boolean column, separated by blanks.
  std::string flags = "false true";
  /// The value of every row, if the column does not vary.
  std::optional<Value> constant = {};
  /// Whether the column holds random bits, which do not compress.
  bool random = false;
  /// Whether no number of the column is negative.
  bool non_negative = false;
  /// When or why a point with status ok has no value.
  std::string absent = {};
  /// What the column of a detail table means on a timeline: a word of timeline_role_words.
  std::string timeline = {};
};

/// Columns of equal length over one dimension, which the first one numbers.
struct GroupInfo {
  std::string name;
  /// Empty: none.
  std::string long_name = {};
  std::vector<ColumnInfo> columns = {};
};

}  // namespace pimsweep::results
