#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/words.h"
#include "results/formula.h"

namespace pimsweep::results {

/// How a published value is meant.
enum class PublishedKind : std::uint8_t { value, range, upper_bound, lower_bound, order };
inline constexpr std::array published_kind_words{
    Word{"exact", PublishedKind::value},       Word{"average", PublishedKind::value},
    Word{"max", PublishedKind::value},         Word{"largest", PublishedKind::value},
    Word{"smallest", PublishedKind::value},    Word{"range", PublishedKind::range},
    Word{"bound", PublishedKind::upper_bound}, Word{"min", PublishedKind::lower_bound},
    Word{"ordering", PublishedKind::order}};

/// The sign before a published bound.
constexpr std::string_view sign_of(PublishedKind kind) {
  if (kind == PublishedKind::upper_bound) return "<=";
  return kind == PublishedKind::lower_bound ? ">=" : "";
}

/// A number (or text, or claim of an order) that a paper prints: a row of results/published/PAPER.csv.
struct PublishedValue {
  std::string id;
  std::string paper;
  std::string where;
  PublishedKind kind = PublishedKind::value;
  /// As printed: a number or a text such as "4x2"; empty for an order.
  std::string value;
  std::string value_hi;
  std::string unit;

  /// As printed, with the sign of a bound or both ends of a range, without the unit: "17", ">= 3", "1.1 .. 4.9".
  std::string text() const;
};

/// How many values become one.
enum class Reduction : std::uint8_t {
  only,  ///< there must be exactly one
  mean,
  geomean,
  median,
  min,
  max,
  sum,
  argmax,  ///< the value of the column `along` where the metric is largest
  argmin,  ///< the value of the column `along` where the metric is smallest
  range,   ///< the smallest and the largest, for the two ends of a published range
  all,     ///< the value that all rows have
  most     ///< the text that most rows have
};
inline constexpr std::array reduction_words{
    Word{"only", Reduction::only},     Word{"mean", Reduction::mean},     Word{"geomean", Reduction::geomean},
    Word{"median", Reduction::median}, Word{"min", Reduction::min},       Word{"max", Reduction::max},
    Word{"sum", Reduction::sum},       Word{"argmax", Reduction::argmax}, Word{"argmin", Reduction::argmin},
    Word{"range", Reduction::range},   Word{"all", Reduction::all},       Word{"most", Reduction::most}};

/// An order that a paper claims.
enum class Claim : std::uint8_t {
  none,
  at_least,  ///< of each pair, the metric under `select` against that under `over`
  at_most,
  above,
  below,
  increasing,  ///< along the column `along`
  decreasing
};
inline constexpr std::array claim_words{Word{"at_least", Claim::at_least},     Word{"at_most", Claim::at_most},
                                        Word{"above", Claim::above},           Word{"below", Claim::below},
                                        Word{"increasing", Claim::increasing}, Word{"decreasing", Claim::decreasing}};
constexpr bool is_about_neighbors(Claim claim) { return claim == Claim::increasing || claim == Claim::decreasing; }

/// What agreement with a published value says about the model (docs/results-format.md, "Report").
enum class CheckRole : std::uint8_t {
  validation,  ///< recomputed; nothing was chosen with it in sight
  artifact,    ///< recomputed by the rules of the paper's own simulator, faults included
  reading,     ///< hangs on a choice that was made with results in sight: a Reading
  calibrated,  ///< the model was fitted to it
  definition   ///< true by construction: a baseline, a repeated value, a trivial zero
};
inline constexpr std::array role_words{Word{"validation", CheckRole::validation}, Word{"artifact", CheckRole::artifact},
                                       Word{"reading", CheckRole::reading}, Word{"calibrated", CheckRole::calibrated},
                                       Word{"definition", CheckRole::definition}};

/// A choice where a paper leaves something open, made with the published results in sight: a [[reading]] of
/// results/published/PAPER.toml.
struct Reading {
  std::string name;
  /// What was chosen, and against what.
  std::string doc;
  /// How many alternatives were tried.
  std::int64_t alternatives = 0;
  /// Studies, each with the one in which the choice is made: the report has a second line for each check of the former,
  /// recomputed from the latter.
  std::map<std::string, std::string> studies;
  /// System of the latter studies; that of the check if empty.
  std::string system;
  /// Role of these second lines.
  CheckRole role = CheckRole::reading;
};

/// Selects rows: a column and its allowed values (numbers are compared as numbers).
struct Selection {
  std::string column;
  std::vector<std::string> allowed;
};

/// How a published value is recomputed from a results file: a [[check]] of results/published/PAPER.toml.
struct Query {
  std::string id;
  /// The system of the study, for studies of several papers may have the same name. The paper's name by default.
  std::string system;
  std::string study;
  /// A detail table, or empty for the study's points.
  std::string table;
  std::string metric;
  std::vector<Selection> select;
  /// If given, the value is metric(over) / metric(select): rows are paired where all axes not named here agree.
  std::vector<Selection> over;
  /// If given, the value of each row is its metric by this column.
  std::string by;
  /// Further columns in which paired rows must agree, such as a detail table's "stage".
  std::vector<std::string> pair;
  Reduction reduce = Reduction::only;
  /// If given, the value is the share of comparisons in which the claim holds.
  /// Ids of other published values that are reduced instead of rows.
  std::vector<std::string> of;
  /// If given, arithmetic over `value`, which is what the reduction gives, and over `numbers`; in SI units.
  std::string formula;
  /// Measured values, by their names in the formula.
  NamedNumbers numbers;
  Claim claim = Claim::none;
  std::string along;
  /// Axes that change together with `along` (as columns with rows of a square array) and so do not separate series.
  std::vector<std::string> together;
  CheckRole role = CheckRole::validation;
  /// The name of the reading that the value hangs on, for that role.
  std::string reading;
  /// If given, the verdict is `inconsistent` and this is the reason.
  std::string inconsistent;
  /// Why there is no query, or what the reader should know.
  std::string note;
  SourcePosition where;
};

/// The published values of one paper with the queries for them.
struct PublishedSet {
  std::string paper;
  std::vector<PublishedValue> values;
  std::map<std::string, Query> queries;
  std::vector<Reading> readings{};
};

/// The values of a PAPER.csv. Throws InputError if it is no table with the columns that are needed; `path` is used in
/// messages.
std::vector<PublishedValue> parse_values(const std::string& text, const std::string& path, ProblemList& problems);

/// Adds the checks of a PAPER.toml to the queries of a set.
void parse_checks(const std::string& text, const std::string& path, PublishedSet& set, ProblemList& problems);

/// Reads every PAPER.csv and PAPER.toml of a folder; all problems in one InputError.
std::vector<PublishedSet> read_published(const std::string& dir);

}  // namespace pimsweep::results
