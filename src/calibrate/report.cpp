#include "calibrate/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <iterator>
#include <numeric>

#include "base/plural.h"
#include "base/statistics.h"
#include "systems/devices/error_axes.h"

namespace pimsweep::calibrate {

namespace {

using Deviations = std::vector<double>;
/// Step by which a constant is changed to see what it moves, as a share of its range.
constexpr double difference_step = 0.01;
/// Correlation beyond which two constants only act together.
constexpr double collinear = 0.999;

/// A predicted value that is compared with its reference.
struct Prediction {
  double reference;
  double deviation;
  std::size_t place;
};

ErrorSummary summarize(sweep::FitError error, const std::vector<Prediction>& predictions) {
  ErrorSummary summary;
  std::vector<double> sizes;
  std::vector<double> errors;
  std::vector<double> ours;
  std::vector<double> references;
  for (const Prediction& one : predictions) {
    if (std::isnan(one.deviation)) continue;
    errors.push_back(error == sweep::FitError::log ? std::expm1(one.deviation) : one.deviation);
    sizes.push_back(std::abs(errors.back()));
    ours.push_back(predicted(error, one.reference, one.deviation));
    references.push_back(one.reference);
  }
  summary.values = sizes.size();
  if (sizes.empty()) return summary;
  std::ranges::sort(sizes);
  std::ranges::sort(errors);
  constexpr double nine_tenths = 0.9;
  summary.median = quantile(sizes, 0.5);
  summary.percentile90 = quantile(sizes, nine_tenths);
  summary.bias = quantile(errors, 0.5);
  summary.rank = kendall_tau(ours, references);
  const auto share = [&](double limit) {
    return static_cast<double>(std::ranges::upper_bound(sizes, limit) - sizes.begin()) /
           static_cast<double>(sizes.size());
  };
  summary.within10 = share(0.1);
  summary.within25 = share(0.25);
  return summary;
}

/// Deviations if all predictions of the file's machine had this common factor, or summand where the error is absolute.
double with_factor(sweep::FitError error, double deviation, double factor) {
  return error == sweep::FitError::relative ? (1 + deviation) * factor - 1 : deviation - factor;
}

double fitted_factor(sweep::FitError error, std::vector<double> deviations) {
  std::erase_if(deviations, [](double one) { return std::isnan(one); });
  if (deviations.empty()) return error == sweep::FitError::relative ? 1 : 0;
  std::ranges::sort(deviations);
  const double median = quantile(deviations, 0.5);
  return error == sweep::FitError::relative && median > -1 ? 1 / (1 + median) : median;
}

/// Inverse of a symmetric positive matrix, by Gauss and Jordan with a small ridge for constants that act together.
std::vector<std::vector<double>> inverse(std::vector<std::vector<double>> matrix) {
  const std::size_t size = matrix.size();
  std::vector<std::vector<double>> result(size, std::vector<double>(size));
  constexpr double ridge = 1e-9;
  for (std::size_t i = 0; i < size; ++i) {
    matrix[i][i] *= 1 + ridge;
    result[i][i] = 1;
  }
  for (std::size_t pivot = 0; pivot < size; ++pivot) {
    const double scale = 1 / matrix[pivot][pivot];
    for (std::size_t column = 0; column < size; ++column) {
      matrix[pivot][column] *= scale;
      result[pivot][column] *= scale;
    }
    for (std::size_t row = 0; row < size; ++row) {
      if (row == pivot) continue;
      const double factor = matrix[row][pivot];
      for (std::size_t column = 0; column < size; ++column) {
        matrix[row][column] -= factor * matrix[pivot][column];
        result[row][column] -= factor * result[pivot][column];
      }
    }
  }
  return result;
}

class Analysis {
 public:
  Analysis(const sweep::Study& fits, const std::vector<TaskResult>& results, const ConfigFolders& configs)
      : rows_(read_rows(*fits.rows())),
        fitter_(rows_, configs),
        tasks_(tasks_of(rows_)),
        results_(results),
        error_(rows_.fit.error) {
    systems::Point point(fits.schema().axes.size());
    fits.point(0, point);
    report_.content = point.text(0);
  }

  Report run() {
    report_.error = error_;
    report_.groups = fitter_.groups({});
    report_.excluded = fitter_.excluded();
    for (std::size_t row = 0; row < rows_.size(); ++row)
      if (fitter_.is_used(row)) ++report_.rows;
    report_.reason = fitter_.reason();
    before_ = fitter_.predictor().deviations(fitter_.predictor().file_machine());
    best_ = machine_of(result_of({}));
    after_ = fitter_.predictor().deviations(best_);
    list_constants();
    find_pairs();
    compare();
    judge();
    divide_spread();
    return std::move(report_);
  }

 private:
  const systems::Axis& axis(std::size_t constant) const {
    return rows_.study.schema().axes[rows_.fit.constants[constant].axis];
  }

  Machine machine_of(const TaskResult& result) const {
    Machine machine;
    for (std::size_t i = 0; i < result.constants.size(); ++i) {
      machine.push_back(std::isnan(result.constants[i]) ? std::nan("")
                                                        : position_of(rows_.fit.constants[i], result.constants[i]));
    }
    return machine;
  }

  const TaskResult& result_of(const Training& training) const {
    const auto task = std::ranges::find_if(
        tasks_, [&](const Task& one) { return one.kind == TaskKind::fit && one.training == training; });
    return results_[static_cast<std::size_t>(task - tasks_.begin())];
  }

  void list_constants() {
    const Screening& screening = fitter_.screening({});
    const TaskResult& best = result_of({});
    for (std::size_t i = 0; i < rows_.fit.constants.size(); ++i) {
      const sweep::FittedConstant& range = rows_.fit.constants[i];
      ConstantReport& constant = report_.constants.emplace_back();
      constant.name = axis(i).name;
      constant.unit = axis(i).unit;
      constant.before = fitter_.predictor().file_value(i);
      constant.is_fitted = !std::isnan(best.constants[i]);
      constant.after = constant.is_fitted ? best.constants[i] : constant.before;
      constant.influence = screening.influence[i];
      constant.moves_rows = fitter_.moves_rows(i);
      constant.range_low = range.low;
      constant.range_high = range.high;
      if (constant.is_fitted && rows_.fit.profile) put_confidence(i, constant);
    }
  }

  void put_confidence(std::size_t index, ConstantReport& constant) {
    const std::vector<std::size_t> chosen = fitter_.chosen();
    constant.profile = {constant.after, constant.after};
    std::vector<double> positions;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const Task& task = tasks_[i];
      if (task.kind == TaskKind::jackknife && fitter_.groups(task.training) < report_.groups)
        positions.push_back(position_of(rows_.fit.constants[index], results_[i].constants[index]));
      if (task.kind != TaskKind::profile || task.constant >= chosen.size() || chosen[task.constant] != index) continue;
      (task.upwards ? constant.profile.second : constant.profile.first) = results_[i].constants[index];
    }
    const double count = static_cast<double>(positions.size());
    const double mean = std::accumulate(positions.begin(), positions.end(), 0.0) / count;
    double squares = 0;
    for (const double position : positions) squares += (position - mean) * (position - mean);
    constexpr double upper = 0.975;
    const double half =
        boost::math::quantile(boost::math::students_t(count - 1), upper) * std::sqrt((count - 1) / count * squares);
    const sweep::FittedConstant& range = rows_.fit.constants[index];
    const double middle = position_of(range, constant.after);
    constant.jackknife = {value_at(range, axis(index), std::max(0.0, middle - half)),
                          value_at(range, axis(index), std::min(1.0, middle + half))};
    constant.confidence = {std::min(constant.profile.first, constant.jackknife.first),
                           std::max(constant.profile.second, constant.jackknife.second)};
  }

  /// Derivatives of all deviations, over their spreads, by the position of each fitted constant.
  std::vector<Deviations> jacobian(const std::vector<std::size_t>& chosen) {
    std::vector<Deviations> columns;
    const std::vector<double>& spread = fitter_.screening({}).spread;
    for (const std::size_t constant : chosen) {
      Machine low = best_;
      Machine high = best_;
      low[constant] = std::max(0.0, best_[constant] - difference_step);
      high[constant] = std::min(1.0, best_[constant] + difference_step);
      const Deviations below = fitter_.predictor().deviations(low);
      Deviations column = fitter_.predictor().deviations(high);
      for (std::size_t place = 0; place < column.size(); ++place) {
        const double step = (column[place] - below[place]) / (high[constant] - low[constant]);
        column[place] = std::isnan(step) ? 0 : step / spread[place / rows_.size()];
      }
      columns.push_back(std::move(column));
    }
    return columns;
  }

  void find_pairs() {
    const std::vector<std::size_t> chosen = fitter_.chosen();
    const std::vector<Deviations> columns = jacobian(chosen);
    moved_.assign(before_.size(), false);
    double largest = 0;
    for (const Deviations& column : columns)
      for (const double step : column) largest = std::max(largest, std::abs(step));
    constexpr double nothing = 1e-6;
    for (const Deviations& column : columns) {
      for (std::size_t place = 0; place < column.size(); ++place)
        if (std::abs(column[place]) > nothing * largest) moved_[place] = true;
    }
    const std::size_t size = chosen.size();
    std::vector<std::vector<double>> normal(size, std::vector<double>(size));
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j)
        normal[i][j] = std::inner_product(columns[i].begin(), columns[i].end(), columns[j].begin(), 0.0);
      if (normal[i][i] == 0) return;  // at a plateau nothing can be said
    }
    const std::vector<std::vector<double>> covariance = inverse(normal);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = i + 1; j < size; ++j) {
        const double cosine = normal[i][j] / std::sqrt(normal[i][i] * normal[j][j]);
        const double correlation = covariance[i][j] / std::sqrt(covariance[i][i] * covariance[j][j]);
        report_.pairs.push_back({chosen[i], chosen[j], correlation, std::abs(cosine) > collinear});
      }
    }
  }

  /// Adds the values of the rows that a split holds out, or of all.
  void add(const Deviations& deviations, const std::vector<bool>* held, std::vector<Prediction>& to) const {
    for (std::size_t place = 0; place < deviations.size(); ++place) {
      const std::size_t row = place % rows_.size();
      const double reference = rows_.references[place / rows_.size()][row];
      if (std::isnan(reference) || std::isnan(before_[place]) || (held != nullptr && !(*held)[row])) continue;
      to.push_back({reference, deviations[place], place});
    }
  }

  struct Values {
    std::vector<Prediction> before;
    std::vector<Prediction> after;
    std::vector<Prediction> factor;
  };

  Comparison comparison(std::string name, const Values& values) const {
    return {std::move(name), summarize(error_, values.before), summarize(error_, values.after),
            summarize(error_, values.factor)};
  }

  /// Predictions with one common factor that is fitted to the rows that a split does not hold out.
  Deviations with_common_factor(const std::vector<bool>* held) const {
    std::vector<double> training;
    for (std::size_t place = 0; place < before_.size(); ++place)
      if (held == nullptr || !(*held)[place % rows_.size()]) training.push_back(before_[place]);
    const double factor = fitted_factor(error_, std::move(training));
    Deviations result = before_;
    for (double& one : result) one = with_factor(error_, one, factor);
    return result;
  }

  void compare() {
    Values all;
    add(before_, nullptr, all.before);
    add(after_, nullptr, all.after);
    add(with_common_factor(nullptr), nullptr, all.factor);
    report_.fitted = comparison("all", all);
    list_rows(all);
    for (std::size_t split = 0; split < rows_.splits.size(); ++split) compare_split(split);
    report_.held_out = comparison("all", held_);
    for (std::size_t kind = 0; kind < rows_.kinds.size() && rows_.kinds.size() > 1; ++kind) {
      const auto of_kind = [&](const std::vector<Prediction>& values) {
        std::vector<Prediction> own;
        for (const Prediction& one : values)
          if (rows_.kind[one.place % rows_.size()] == kind) own.push_back(one);
        return own;
      };
      report_.classes.push_back(
          comparison(rows_.kinds[kind], {of_kind(held_.before), of_kind(held_.after), of_kind(held_.factor)}));
    }
  }

  void compare_split(std::size_t split) {
    const Training training{Training::Part::split, split};
    const std::vector<bool>& held = rows_.splits[split];
    const Deviations after = fitter_.predictor().deviations(machine_of(result_of(training)), held);
    report_.split_constants.push_back(result_of(training).constants);
    Values own;
    add(before_, &held, own.before);
    add(after, &held, own.after);
    add(with_common_factor(&held), &held, own.factor);
    report_.splits.push_back(comparison(fmt::format("{}", split + 1), own));
    for (const Prediction& one : own.after) {
      RowReport& row = report_.values[places_[one.place]];
      row.held_out = predicted(error_, one.reference, one.deviation);
      row.split = split + 1;
    }
    held_.before.insert(held_.before.end(), own.before.begin(), own.before.end());
    held_.after.insert(held_.after.end(), own.after.begin(), own.after.end());
    held_.factor.insert(held_.factor.end(), own.factor.begin(), own.factor.end());
  }

  void list_rows(const Values& all) {
    places_.assign(before_.size(), 0);
    for (std::size_t i = 0; i < all.before.size(); ++i) {
      const std::size_t place = all.before[i].place;
      places_[place] = report_.values.size();
      report_.values.push_back({place % rows_.size(), place / rows_.size(), all.before[i].reference,
                                predicted(error_, all.before[i].reference, all.before[i].deviation),
                                predicted(error_, all.after[i].reference, all.after[i].deviation), std::nan(""), 0,
                                moved_[place]});
    }
  }

  void judge() {
    if (report_.splits.empty()) return;
    std::vector<double> gains;
    for (const Comparison& split : report_.splits) gains.push_back(split.before.median - split.after.median);
    const double count = static_cast<double>(gains.size());
    report_.improvement = std::accumulate(gains.begin(), gains.end(), 0.0) / count;
    double squares = 0;
    for (const double gain : gains) squares += (gain - report_.improvement) * (gain - report_.improvement);
    report_.improvement_spread = gains.size() > 1 ? std::sqrt(squares / (count - 1)) : 0;
    report_.keep_old = report_.improvement <= report_.improvement_spread;
  }

  /// Divides the residuals of held-out rows into what each class has in common and the rest.
  void divide_spread() {
    if (error_ == sweep::FitError::absolute) return;
    report_.spread = spread_of(residuals([](std::size_t /*place*/) { return true; }));
    const systems::Schema& schema = rows_.study.schema();
    for (const std::size_t axis : rows_.fit.error_factors) {
      const std::string& name = schema.axes[axis].name;
      // It is written with the common factor.
      if (name.ends_with(systems::devices::by_shape_suffix)) continue;
      const std::vector<bool> covered = fitter_.predictor().moved_by(axis);
      const bool has_shapes = schema.axis_index(name + std::string(systems::devices::by_shape_suffix)) >= 0;
      std::ranges::move(error_factors(name, has_shapes, residuals([&](std::size_t place) { return covered[place]; })),
                        std::back_inserter(report_.error_factors));
    }
  }

  template <typename IsCovered>
  std::vector<Residual> residuals(const IsCovered& is_covered) const {
    std::vector<Residual> found;
    for (const Prediction& one : held_.after) {
      if (std::isnan(one.deviation) || !is_covered(one.place)) continue;
      // Each observation has errors of its own, as each pass of a layer has.
      const std::size_t observation = one.place / rows_.size();
      found.push_back({rows_.kind[one.place % rows_.size()] + rows_.kinds.size() * observation,
                       std::log(predicted(error_, one.reference, one.deviation) / one.reference)});
      if (!std::isfinite(found.back().logarithm)) found.pop_back();
    }
    return found;
  }

  const Rows rows_;
  Fitter fitter_;
  const std::vector<Task> tasks_;
  const std::vector<TaskResult>& results_;
  const sweep::FitError error_;
  Report report_;
  Machine best_;
  Deviations before_;
  Deviations after_;
  Values held_;
  /// Index into report_.values of each value.
  std::vector<std::size_t> places_;
  /// True for each value that a fitted constant moves.
  std::vector<bool> moved_;
};

}  // namespace

Report analyze(const sweep::Study& fits, const std::vector<TaskResult>& results, const ConfigFolders& configs) {
  return Analysis(fits, results, configs).run();
}

std::string error_text(const Report& report, double error) {
  constexpr double percent = 100;
  return report.error == sweep::FitError::absolute ? fmt::format("{:.4g}", error)
                                                   : fmt::format("{:.1f} %", percent * error);
}

std::string verdict(const Report& report) {
  const auto fitted = static_cast<std::size_t>(std::ranges::count(report.constants, true, &ConstantReport::is_fitted));
  if (report.splits.empty()) {
    return fmt::format(
        "Fitting {} to {} changes the median error from {} to {}. None was held out: how well others are "
        "predicted is not known.",
        count_of(fitted, "constant"), count_of(report.fitted.after.values, "value"),
        error_text(report, report.fitted.before.median), error_text(report, report.fitted.after.median));
  }
  const ErrorSummary& before = report.held_out.before;
  const ErrorSummary& after = report.held_out.after;
  const std::string change =
      fmt::format("Fitting {} {} the median error on {} that were not fitted from {} to {}",
                  count_of(fitted, "constant"), after.median < before.median ? "lowers" : "changes",
                  count_of(after.values, "value"), error_text(report, before.median), error_text(report, after.median));
  if (report.keep_old) {
    const std::string reason = report.improvement > 0 ? fmt::format("within its spread over the splits ({})",
                                                                    error_text(report, report.improvement_spread))
                                                      : "not an improvement over the splits";
    return fmt::format("{}. That is {}: keep the old constants.", change, reason);
  }
  const ErrorSummary& factor = report.held_out.factor;
  const bool is_factor_no_worse = factor.median <= after.median;
  return fmt::format("{}; one common factor gives {}{}.", change, error_text(report, factor.median),
                     is_factor_no_worse ? ", which is no worse" : "");
}

}  // namespace pimsweep::calibrate
