#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "calibrate/rows.h"
#include "systems/system.h"

namespace pimsweep::calibrate {

/// A machine around that of the hardware file: the position of each constant in its range, from 0 to 1, or NaN where it
/// keeps the value of the file.
using Machine = std::vector<double>;

/// SI value at a position of a constant's range. A constant of an integer axis is whole.
double value_at(const sweep::FittedConstant& constant, const systems::Axis& axis, double position);

/// Position of an SI value, cut to the range.
double position_of(const sweep::FittedConstant& constant, double value);

/// Predicts all rows on one machine after another.
///
///     Predictor predictor(rows, configs);
///     const std::vector<double> deviations = predictor.deviations(machine);
///
/// Used by one thread.
class Predictor {
 public:
  Predictor(const Rows& rows, const ConfigFolders& configs);

  /// Deviations of the predictions from the references, for all rows of the first observation, then of the second, and
  /// so on: NaN where nothing was measured or the point has no value.
  std::vector<double> deviations(const Machine& machine);
  /// The machine of the hardware file, and the positions of its constants.
  Machine file_machine() const { return Machine(rows_.fit.constants.size(), std::nan("")); }
  Machine file_positions() const;
  /// SI value of a constant in the hardware file of the first row.
  double file_value(std::size_t constant) const;
  /// Number of machines that have been evaluated.
  std::uint64_t evaluated() const { return evaluated_; }
  /// Reason of the last point that did not have a value.
  const std::string& reason() const { return reason_; }

 private:
  bool evaluate(std::uint64_t row);

  const Rows& rows_;
  std::unique_ptr<systems::System> system_;
  systems::Record record_;
  systems::Point point_;
  /// The constants of the machine, on which `point_` depends.
  std::vector<Value> values_;
  std::uint64_t evaluated_ = 0;
  std::string reason_;
};

}  // namespace pimsweep::calibrate
