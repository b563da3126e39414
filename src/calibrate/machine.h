#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "calibrate/observed.h"
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

/// The predicted value whose deviation from a reference this is.
double predicted(sweep::FitError error, double reference, double deviation);

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
  /// so on: NaN where nothing was measured or the point has no value, and where `rows` is false.
  std::vector<double> deviations(const Machine& machine, const std::vector<bool>& rows);
  std::vector<double> deviations(const Machine& machine) {
    return deviations(machine, std::vector<bool>(rows_.size(), true));
  }
  /// True for each of the deviations that changes with a constant that is not fitted.
  std::vector<bool> moved_by(std::size_t axis);
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
  std::vector<double> deviations(const std::vector<bool>& rows);

  const Rows& rows_;
  std::unique_ptr<systems::System> system_;
  std::vector<Observed> observed_;
  systems::Record record_;
  systems::Point point_;
  /// The constants of the machine, on which `point_` depends.
  std::vector<Value> values_;
  /// A constant that is not fitted, and its value.
  std::optional<std::pair<std::size_t, Value>> other_;
  std::uint64_t evaluated_ = 0;
  std::string reason_;
};

}  // namespace pimsweep::calibrate
