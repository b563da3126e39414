#include "calibrate/machine.h"

#include <algorithm>
#include <cmath>
#include <exception>

namespace pimsweep::calibrate {

namespace {

double deviation(sweep::FitError error, double predicted, double reference) {
  switch (error) {
    case sweep::FitError::log:
      return predicted > 0 ? std::log(predicted / reference) : std::nan("");
    case sweep::FitError::relative:
      return (predicted - reference) / std::abs(reference);
    case sweep::FitError::absolute:
      break;
  }
  return predicted - reference;
}

}  // namespace

double value_at(const sweep::FittedConstant& constant, const systems::Axis& axis, double position) {
  const double value = constant.logarithmic ? constant.low * std::pow(constant.high / constant.low, position)
                                            : constant.low + (constant.high - constant.low) * position;
  const double inside = std::clamp(value, constant.low, constant.high);
  return axis.type == ValueType::integer ? std::round(inside) : inside;
}

double position_of(const sweep::FittedConstant& constant, double value) {
  const double inside = std::clamp(value, constant.low, constant.high);
  return constant.logarithmic ? std::log(inside / constant.low) / std::log(constant.high / constant.low)
                              : (inside - constant.low) / (constant.high - constant.low);
}

double predicted(sweep::FitError error, double reference, double deviation) {
  switch (error) {
    case sweep::FitError::log:
      return reference * std::exp(deviation);
    case sweep::FitError::relative:
      return reference + deviation * std::abs(reference);
    case sweep::FitError::absolute:
      break;
  }
  return reference + deviation;
}

Predictor::Predictor(const Rows& rows, const ConfigFolders& configs)
    : rows_(rows),
      system_(systems::make_system(rows.study.system(), configs)),
      point_(rows.study.schema().axes.size()),
      values_(rows.fit.constants.size()) {
  for (const sweep::Observation& observation : rows.fit.observations) observed_.emplace_back(rows.study, observation);
}

double Predictor::file_value(std::size_t constant) const {
  systems::Point point(rows_.study.schema().axes.size());
  rows_.study.point(0, point);
  return point.real(rows_.fit.constants[constant].axis);
}

Machine Predictor::file_positions() const {
  Machine positions;
  for (std::size_t i = 0; i < rows_.fit.constants.size(); ++i)
    positions.push_back(position_of(rows_.fit.constants[i], file_value(i)));
  return positions;
}

bool Predictor::evaluate(std::uint64_t row) {
  rows_.study.point(row, point_);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (values_[i].index() != static_cast<std::size_t>(ValueType::boolean))
      point_.set(rows_.fit.constants[i].axis, &values_[i]);
  }
  if (other_) point_.set(other_->first, &other_->second);
  record_.reset(system_->schema());
  try {
    system_->evaluate(point_, record_);
  } catch (const std::exception& error) {
    reason_ = error.what();
    return false;
  }
  if (record_.status != systems::Status::ok) reason_ = record_.message;
  return record_.status == systems::Status::ok;
}

std::vector<double> Predictor::deviations(const Machine& machine, const std::vector<bool>& rows) {
  for (std::size_t i = 0; i < machine.size(); ++i) {
    const sweep::FittedConstant& constant = rows_.fit.constants[i];
    const systems::Axis& axis = rows_.study.schema().axes[constant.axis];
    // A truth value stands for one that the file keeps.
    if (std::isnan(machine[i])) {
      values_[i] = false;
    } else if (axis.type == ValueType::integer) {
      values_[i] = static_cast<std::int64_t>(value_at(constant, axis, machine[i]));
    } else {
      values_[i] = value_at(constant, axis, machine[i]);
    }
  }
  ++evaluated_;
  return deviations(rows);
}

std::vector<bool> Predictor::moved_by(std::size_t axis) {
  const std::vector<double> before = deviations(file_machine());
  constexpr double larger = 2;
  systems::Point point(rows_.study.schema().axes.size());
  rows_.study.point(0, point);
  other_ = {axis, point.real(axis) * larger};
  const std::vector<double> after = deviations(file_machine());
  other_.reset();
  std::vector<bool> moved(before.size());
  // Numbers that are missing do not differ.
  for (std::size_t place = 0; place < moved.size(); ++place) moved[place] = std::abs(after[place] - before[place]) > 0;
  return moved;
}

std::vector<double> Predictor::deviations(const std::vector<bool>& rows) {
  const std::size_t size = rows_.size();
  const std::size_t observations = rows_.fit.observations.size();
  std::vector<double> result(size * observations, std::nan(""));
  for (std::size_t row = 0; row < size; ++row) {
    if (!rows[row] || !evaluate(row)) continue;
    for (std::size_t o = 0; o < observations; ++o) {
      const double reference = rows_.references[o][row];
      if (std::isnan(reference)) continue;
      result[o * size + row] = deviation(rows_.fit.error, observed_[o].predicted(point_, record_), reference);
    }
  }
  return result;
}

}  // namespace pimsweep::calibrate
