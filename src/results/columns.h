#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "base/words.h"
#include "systems/system.h"
#include "systems/value_origin.h"

namespace pimsweep::results {

/// Rows that are written and read together: a chunk of each column of a long group.
inline constexpr std::size_t block_rows = 16384;

/// Longest text, in bytes, that a column of at most block_rows rows holds, and one of more. Readers pad every text to
/// the longest: one of 4 KiB in a million rows would cost them 4 GiB. Longer ones have a table of their own.
inline constexpr std::size_t max_text_bytes_of_short_column = 4096;
inline constexpr std::size_t max_text_bytes_of_long_column = 256;

/// The group of tables with the texts that are too long for their columns: `owner` is the number of the row that a text
/// belongs to, `text` a piece of at most max_piece_bytes.
inline constexpr auto long_texts_group = "long_texts";
inline constexpr std::size_t max_piece_bytes = max_text_bytes_of_long_column;

/// The table of quantiles over sampled machines, in a study that has such machines.
inline constexpr auto bands_group = "bands";
/// The column with the machine of each point.
inline constexpr auto draw_column = "draw";
/// Both ends of a band, as shares of the sampled machines.
inline constexpr double low_share = 0.05;
inline constexpr double high_share = 0.95;

/// Content of a column: its attribute `role`.
enum class ColumnRole : std::uint8_t { none, axis, label, reference, search, metric, status, identity, detail, band };
inline constexpr std::array column_role_words{
    Word{"", ColumnRole::none},         Word{"axis", ColumnRole::axis},
    Word{"label", ColumnRole::label},   Word{"reference", ColumnRole::reference},
    Word{"search", ColumnRole::search}, Word{"metric", ColumnRole::metric},
    Word{"status", ColumnRole::status}, Word{"identity", ColumnRole::identity},
    Word{"detail", ColumnRole::detail}, Word{"band", ColumnRole::band}};

/// Names of the values 0, 1, ... of a column of booleans and of the column `status`, separated by blanks.
inline constexpr std::string_view boolean_flags = "false true";
inline constexpr std::string_view status_flags = "ok infeasible failed crashed not_run";

/// Name, type and attributes of a column.
struct ColumnInfo {
  std::string name;
  std::string unit;
  std::string long_name;
  /// Origin of the values.
  std::string source;
  ColumnRole role = ColumnRole::none;
  ValueType type = ValueType::real;
  /// Names of 0, 1, ..., separated by blanks, for an enumeration, whose values are integers.
  std::string_view flags = {};
  /// The value of every row, if the column does not vary.
  std::optional<Value> constant = {};
  /// True if the column holds random bits, which do not compress.
  bool random = false;
  /// True if no number of the column is negative.
  bool non_negative = false;
  /// When or why a point with status ok has no value.
  std::string absent = {};
  systems::TimelineRole timeline = systems::TimelineRole::none;
  /// The origin of an axis by kind; `source` is its text.
  systems::ValueOrigin origin = {};
};

/// Storage of a column's cells: as 64-bit numbers, as integers of 8 bits with names (booleans and
/// enumerations), or as characters.
enum class Element : std::uint8_t { integer, real, flag, text };
Element element_of(const ColumnInfo& column);

/// Columns of equal length over one dimension, which the first one numbers.
struct GroupInfo {
  /// Path in the file.
  std::string path;
  /// Empty: none.
  std::string long_name = {};
  std::vector<ColumnInfo> columns = {};
};

/// The origin of the metrics of [study.derived].
inline constexpr auto derived_source = "experiment";

/// Name and version of a study's system: the origin of its results.
std::string source_of_results(const systems::Schema& schema);

/// The first column of a group: the numbers of its rows.
ColumnInfo numbering(const char* name, const char* doc);

/// The pieces of the texts that are too long for a column of a group.
GroupInfo long_texts_of(const GroupInfo& group, const ColumnInfo& column);

}  // namespace pimsweep::results
