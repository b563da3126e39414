#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace pimsweep::results {

/// A number (or text, or claim of an order) that a paper prints: a row of results/published/<paper>.csv.
struct PublishedValue {
  std::string id;
  std::string paper;
  std::string where;
  /// exact, average, range, bound (an upper one), min (a lower one), max, ordering.
  std::string kind;
  /// As printed: a number or a text such as "4x2"; empty for an ordering.
  std::string value;
  std::string value_hi;
  std::string unit;
};

/// What a row must equal to take part: a column and the values allowed (numbers are compared as numbers).
struct Selection {
  std::string column;
  std::vector<std::string> allowed;
};

/// How a published value is recomputed from a results file: a [[check]] of results/published/<paper>.toml.
struct Query {
  std::string id;
  /// The system whose studies are meant: studies of several papers may have the same name. The paper's name by default.
  std::string system;
  std::string study;
  /// A detail table, or empty for the study's points.
  std::string table;
  std::string metric;
  std::vector<Selection> select;
  /// If given, the value is metric(over) / metric(select): rows are paired where all axes not named here agree.
  std::vector<Selection> over;
  /// Further columns in which paired rows must agree, such as a detail table's "stage".
  std::vector<std::string> pair;
  /// mean, geomean, median, min, max, sum, only; argmax or argmin: the value of `along` where the metric is largest or
  /// smallest; all: the value that all rows have; most: the text that most rows have.
  std::string reduce = "only";
  /// For orderings: "at_least", "at_most", "above" or "below" (the metric under `select` against `over`), or
  /// "increasing" / "decreasing" along the column `along`. The value is the fraction of comparisons that hold.
  std::string claim;
  std::string along;
  /// Axes that go along with `along` (as columns with rows of a square array) and so do not tell series apart.
  std::vector<std::string> together;
  /// validation or calibrated.
  std::string role = "validation";
  /// If given, the verdict is `inconsistent` and this is why.
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
};

/// Reads every <paper>.csv and <paper>.toml of a folder; all problems in one InputError.
std::vector<PublishedSet> read_published(const std::string& dir);

}  // namespace pimsweep::results
