#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/placed_text.h"
#include "sweep/condition.h"
#include "sweep/study_blocks.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// A metric that the experiment computes from others.
struct DerivedMetric {
  /// Its doc is the expression as written.
  systems::Metric metric;
  SourcePosition where;
  /// The expression over axes and metrics of the system: other derived metrics are replaced by their expressions.
  PlacedText expression;
};

/// The axes of a schema, followed by its numeric metrics, as axes: the names of expressions.
systems::Schema with_metrics_as_axes(const systems::Schema& schema);

/// Resolves derived metrics in any order. `names` has the names of expressions, `schema` is that of the system. Reports
/// names that are taken, circles, unknown names and violations of units.
std::vector<DerivedMetric> resolve_derived(const std::vector<DerivedSetting>& settings, const systems::Schema& schema,
                                           const systems::Schema& names, ProblemList& problems);

/// An expression in which derived metrics are replaced by their expressions, with the position of their names.
PlacedText expanded(const PlacedText& text, const std::vector<DerivedMetric>& derived);

/// The value of a condition whose operands are set, NaN if it is not a finite number.
double finite_value(const Condition& condition);

/// Computes the derived metrics of points.
class DerivedValues {
 public:
  /// The references must outlive it.
  DerivedValues(const std::vector<DerivedMetric>& derived, const systems::Schema& schema);
  /// Appends a number for each derived metric to the metrics of a record of the schema; NaN where a metric that the
  /// expression names is missing or its value is not finite.
  void append(const systems::Point& point, systems::Record& record);

 private:
  struct Formula {
    Condition condition;
    /// For each operand beyond the axes, the metric of the schema.
    std::vector<std::size_t> metrics;
  };
  const systems::Schema& schema_;
  std::vector<Formula> formulas_;
};

}  // namespace pimsweep::sweep
