#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sweep/calibration.h"
#include "sweep/condition.h"
#include "sweep/study.h"

namespace pimsweep::calibrate {

/// The value of an observation: predicted at a point, and measured on a row.
///
///     Observed observed(study, observation);
///     const double measured = observed.reference(row, point);
///
/// Used by one thread.
class Observed {
 public:
  Observed(const sweep::Study& study, const sweep::Observation& observation);

  /// The value with the metrics of a record of the point; NaN where one of them is missing.
  double predicted(const systems::Point& point, const systems::Record& record);
  /// The value with the reference columns of a row; NaN where one of them was not measured. `point` is that of the row.
  double reference(std::uint64_t row, const systems::Point& point);

 private:
  /// A name of the expression: an axis, or a metric with its column.
  struct Operand {
    bool is_axis = false;
    std::size_t index = 0;
    std::size_t column = 0;
  };
  template <typename ValueOf>
  double value(const systems::Point& point, const ValueOf& value_of);

  const sweep::Study& study_;
  sweep::Condition condition_;
  std::vector<Operand> operands_;
};

}  // namespace pimsweep::calibrate
