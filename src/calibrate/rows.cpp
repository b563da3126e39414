#include "calibrate/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/error.h"
#include "base/plural.h"
#include "base/splitmix64.h"
#include "calibrate/observed.h"
#include "sweep/derived_metrics.h"
#include "sweep/hardware_axis.h"

namespace pimsweep::calibrate {

namespace {

/// Blocks of the jackknife.
constexpr std::uint32_t max_blocks = 20;
/// Predictions of a few dozen machines are kept in memory.
constexpr std::uint64_t max_rows = 10'000'000;

/// Text of a row's value in a column by which rows are grouped.
std::string key_of(const sweep::Study& study, const sweep::KeyColumn& column, std::uint64_t row,
                   systems::Point& point) {
  if (!column.is_axis) return to_text(study.carried_value(column.index, row));
  study.point(row, point);
  return to_text(point[column.index]);
}

/// The numbers from 0 to `count` - 1 in an order that depends on the seed.
std::vector<std::uint32_t> shuffled(std::uint32_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  SplitMix64 random(SplitMix64::mix(seed));
  for (std::uint32_t left = count; left > 1; --left) std::swap(order[left - 1], order[random() % left]);
  return order;
}

class RowReader {
 public:
  explicit RowReader(const sweep::Study& study) : rows_{study, *study.calibration(), {}, {}, {}, 0, {}, {}, {}, {}} {}

  Rows read() {
    const std::uint64_t size = rows_.study.size();
    if (size > max_rows) {
      problem(fmt::format("{} rows are more than the limit of {}", size, max_rows));
      problems_.throw_if_any();
    }
    if (rows_.study.schema().axis_index(sweep::draw_axis) >= 0)
      problem(
          "constants are fitted on the machine of the hardware file: leave out sampled machines (--draws, "
          "[study.uncertainty])");
    read_references(size);
    read_groups(size);
    if (rows_.groups > 0) divide();
    problems_.throw_if_any();
    return std::move(rows_);
  }

 private:
  void problem(std::string message) { problems_.add(rows_.fit.where, std::move(message)); }

  void read_references(std::uint64_t size) {
    systems::Point point(rows_.study.schema().axes.size());
    for (const sweep::Observation& observation : rows_.fit.observations) {
      Observed observed(rows_.study, observation);
      std::vector<double>& values = rows_.references.emplace_back(size);
      for (std::uint64_t row = 0; row < size; ++row) {
        rows_.study.point(row, point);
        values[row] = observed.reference(row, point);
      }
      check_values(observation.name, values);
      read_weights(observation, size);
    }
    const auto is_without = [](const std::vector<double>& weights) {
      return std::ranges::none_of(weights, [](double weight) { return weight > 0; });
    };
    if (std::ranges::all_of(rows_.weights, is_without)) problem("no row has a weight above 0");
  }

  void read_weights(const sweep::Observation& observation, std::uint64_t size) {
    std::vector<double>& weights = rows_.weights.emplace_back(size, observation.weight);
    if (!observation.row_weight.is_given()) return;
    sweep::Condition weight = *sweep::Condition::compile(observation.row_weight, rows_.study.schema(), problems_);
    systems::Point point(rows_.study.schema().axes.size());
    for (std::uint64_t row = 0; row < size; ++row) {
      rows_.study.point(row, point);
      for (std::size_t i = 0; i < weight.axes().size(); ++i) weight.set(i, weight.number(point[weight.axes()[i]]));
      weights[row] = sweep::finite_value(weight);
      if (weights[row] >= 0) continue;
      problems_.add(observation.row_weight.where,
                    fmt::format("weight '{}' of row {} is {}: expected a number of at least 0",
                                observation.row_weight.text, row + 1, weights[row]));
      return;
    }
  }

  void check_values(const std::string& name, const std::vector<double>& values) {
    std::set<double> distinct;
    for (std::size_t row = 0; row < values.size(); ++row) {
      if (std::isnan(values[row])) continue;
      if (distinct.size() < 2) distinct.insert(values[row]);
      if (values[row] > 0 || rows_.fit.error == sweep::FitError::absolute) continue;
      const bool is_log = rows_.fit.error == sweep::FitError::log;
      if (values[row] < 0 && !is_log) continue;
      problem(fmt::format("reference '{}' of row {} is {}: a {} error requires {}", name, row + 1, values[row],
                          is_log ? "logarithmic" : "relative",
                          is_log ? "values above zero" : "values other than zero"));
      return;
    }
    if (distinct.empty()) {
      problem(fmt::format("reference '{}' does not have any value", name));
    } else if (distinct.size() == 1 && holds_out()) {
      problem(fmt::format("reference '{}' is {} in every row: rows without variation cannot be fitted", name,
                          *distinct.begin()));
    }
  }

  bool is_measured(std::uint64_t row) const {
    return std::ranges::any_of(rows_.references,
                               [&](const std::vector<double>& values) { return !std::isnan(values[row]); });
  }

  void read_groups(std::uint64_t size) {
    systems::Point point(rows_.study.schema().axes.size());
    std::map<std::vector<std::string>, std::uint32_t> groups;
    std::map<std::string, std::uint32_t> kinds;
    for (std::uint64_t row = 0; row < size; ++row) {
      // A row that was not measured is in no group.
      if (!is_measured(row)) {
        rows_.group.push_back(0);
        rows_.kind.push_back(0);
        continue;
      }
      std::vector<std::string> key;
      for (const sweep::KeyColumn& column : rows_.fit.group) key.push_back(key_of(rows_.study, column, row, point));
      if (key.empty()) key.push_back(fmt::format("{}", row));
      rows_.group.push_back(groups.emplace(std::move(key), static_cast<std::uint32_t>(groups.size())).first->second);
      const std::string kind = rows_.fit.kind ? key_of(rows_.study, *rows_.fit.kind, row, point) : "all";
      const auto [found, is_new] = kinds.emplace(kind, static_cast<std::uint32_t>(kinds.size()));
      if (is_new) rows_.kinds.push_back(kind);
      rows_.kind.push_back(found->second);
    }
    rows_.groups = static_cast<std::uint32_t>(groups.size());
  }

  /// Holds out the groups at the positions of an order for which `is_out` is true.
  template <typename IsOut>
  std::vector<bool> hold_out(const std::vector<std::uint32_t>& order, const IsOut& is_out) const {
    std::vector<bool> groups(order.size());
    for (std::uint32_t place = 0; place < order.size(); ++place) groups[order[place]] = is_out(place);
    std::vector<bool> held(rows_.size());
    for (std::size_t row = 0; row < held.size(); ++row) held[row] = groups[rows_.group[row]];
    return held;
  }

  bool holds_out() const { return rows_.fit.folds > 0 || rows_.fit.holdout; }

  void divide() {
    const std::uint32_t groups = rows_.groups;
    if (!holds_out()) return check_all_fitted();
    const auto seed = static_cast<std::uint64_t>(rows_.fit.seed);
    std::uint32_t held = 0;
    if (rows_.fit.holdout) {
      held = static_cast<std::uint32_t>(std::lround(*rows_.fit.holdout * groups));
      if (held == 0 || held >= groups) {
        problem(fmt::format("a share of {} of {} groups of rows leaves {} groups", *rows_.fit.holdout, groups,
                            held == 0 ? "no held-out" : "no fitted"));
        return;
      }
      for (std::uint64_t split = 0; split < rows_.fit.splits; ++split)
        rows_.splits.push_back(
            hold_out(shuffled(groups, seed + split), [&](std::uint32_t place) { return place < held; }));
    } else {
      const auto folds = static_cast<std::uint32_t>(rows_.fit.folds);
      if (folds > groups) {
        problem(fmt::format("{} folds of {} of rows: a fold would be empty", folds, count_of(groups, "group")));
        return;
      }
      held = (groups + folds - 1) / folds;
      const std::vector<std::uint32_t> order = shuffled(groups, seed);
      for (std::uint32_t fold = 0; fold < folds; ++fold)
        rows_.splits.push_back(hold_out(order, [&](std::uint32_t place) { return place % folds == fold; }));
    }
    check_fitted(groups - held);
    divide_blocks();
  }

  /// A range of a constant counts groups, a fit values.
  void check_fitted(std::uint32_t groups) {
    std::size_t left = groups;
    for (std::size_t split = 0; split < rows_.splits.size() && !rows_.fit.profile; ++split)
      left = split == 0 ? fitted_values(split) : std::min(left, fitted_values(split));
    if (left > rows_.max_constants()) return;
    problem(fmt::format("{} {} remain to fit {} constants: at least {} are needed; lower 'at_most' or 'constants'",
                        left, rows_.fit.profile ? "groups of rows" : "values", rows_.max_constants(),
                        rows_.max_constants() + 1));
  }

  std::size_t fitted_values(std::size_t split) const {
    std::size_t count = 0;
    for (const std::vector<double>& values : rows_.references)
      for (std::size_t row = 0; row < values.size(); ++row)
        if (!std::isnan(values[row]) && !rows_.splits[split][row]) ++count;
    return count;
  }

  /// Without held-out rows, as many groups as constants determine these.
  void check_all_fitted() {
    const std::size_t constants = rows_.max_constants();
    if (rows_.groups < constants)
      problem(fmt::format("{} groups of rows cannot determine {} constants", rows_.groups, constants));
    if (!rows_.fit.profile) return;
    if (rows_.groups <= constants)
      problem(fmt::format("{} groups of rows do not determine ranges of {} constants: set profile = false",
                          rows_.groups, constants));
    divide_blocks();
  }

  void divide_blocks() {
    const std::uint32_t groups = rows_.groups;
    const auto seed = static_cast<std::uint64_t>(rows_.fit.seed);
    constexpr std::uint64_t own_order = 0x6a61636bU;
    const std::vector<std::uint32_t> order = shuffled(groups, seed ^ own_order);
    const std::uint32_t blocks = std::min(groups, max_blocks);
    for (std::uint32_t block = 0; block < blocks; ++block)
      rows_.blocks.push_back(hold_out(order, [&](std::uint32_t place) { return place % blocks == block; }));
  }

  Rows rows_;
  ProblemList problems_;
};

}  // namespace

std::size_t Rows::max_constants() const { return std::min<std::size_t>(fit.at_most, fit.constants.size()); }

Rows read_rows(const sweep::Study& study) { return RowReader(study).read(); }

}  // namespace pimsweep::calibrate
