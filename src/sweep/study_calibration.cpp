#include "sweep/study_calibration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "sweep/condition.h"
#include "sweep/derived_metrics.h"
#include "sweep/expression_tokens.h"
#include "sweep/expression_unit.h"
#include "sweep/hardware_axis.h"

namespace pimsweep::sweep {

namespace {

/// True if a name matches a pattern in which * stands for any characters.
bool matches(std::string_view pattern, std::string_view name) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t begin = star; begin <= name.size(); ++begin) {
    if (matches(rest, name.substr(begin))) return true;
  }
  return false;
}

/// Ends of a range of numbers; empty for a list of alternatives and for the errors of models.
struct EndsOf {
  std::optional<FittedConstant> operator()(const IntegerGrid& grid) const {
    return FittedConstant{0, static_cast<double>(grid.from),
                          static_cast<double>(grid.from) + static_cast<double>(grid.step * (grid.count - 1)), false};
  }
  std::optional<FittedConstant> operator()(const RealGrid& grid) const {
    return FittedConstant{0, grid.from, grid.to, false};
  }
  std::optional<FittedConstant> operator()(const RealInterval& range) const {
    return FittedConstant{0, range.from, range.to, false};
  }
  std::optional<FittedConstant> operator()(const LogScale& scale) const {
    return FittedConstant{0, scale.from, scale.to, true};
  }
  /// The error of a model is what a fit leaves, not a constant of the machine.
  std::optional<FittedConstant> operator()(const LogNormal&) const { return std::nullopt; }
  std::optional<FittedConstant> operator()(const std::vector<Value>&) const { return std::nullopt; }
};

class CalibrationResolver {
 public:
  CalibrationResolver(const CalibrationBlock& block, const StudyData& data, const StudyHardware& hardware,
                      ProblemList& problems)
      : block_(block), data_(data), hardware_(hardware), problems_(problems) {}

  Calibration resolve() {
    Calibration fit{.where = block_.where,
                    .table = {},
                    .error = block_.error,
                    .loss = block_.loss,
                    .observations = {},
                    .constants = {},
                    .error_factors = {},
                    .group = {},
                    .kind = std::nullopt,
                    .folds = block_.folds,
                    .holdout = block_.holdout,
                    .splits = block_.splits,
                    .at_most = block_.at_most,
                    .starts = block_.starts,
                    .profile = block_.profile,
                    .seed = block_.seed};
    if (data_.search || data_.sample) {
      problems_.add(block_.where, fmt::format("a study has either [study.{}] or [study.calibration]",
                                              data_.search ? "search" : "sample"));
      return fit;
    }
    if (!hardware_.axis()) {
      problems_.add(block_.where,
                    fmt::format("system '{}' does not have hardware constants to calibrate", data_.schema->name));
      return fit;
    }
    for (const ObservationSetting& setting : block_.observe) add_observation(setting, fit);
    for (const PlacedText& name : block_.group) {
      if (const auto column = find_column(name)) fit.group.push_back(*column);
    }
    if (block_.kind.is_given()) fit.kind = find_column(block_.kind);
    add_constants(fit);
    for (std::size_t axis = 0; axis < data_.schema->axes.size(); ++axis)
      if (is_error_factor(axis)) fit.error_factors.push_back(axis);
    return fit;
  }

 private:
  std::vector<std::string> references() const {
    std::vector<std::string> names;
    for (const CarriedColumn& carried : data_.carried) {
      if (carried.role == CarriedColumn::Role::reference) names.push_back(carried.name);
    }
    return names;
  }

  void add_observation(const ObservationSetting& setting, Calibration& fit) {
    const PlacedText& text = setting.metric;
    if (is_name(text.text) && data_.schema->metric_index(text.text) < 0) {
      report_metric(text.where, text.text,
                    fmt::format("'{}' is not a metric of system '{}'", text.text, data_.schema->name));
      return;
    }
    const systems::Schema names = with_metrics_as_axes(*data_.schema);
    const std::optional<Condition> condition = Condition::compile(text, names, problems_);
    if (!condition || !unit_of_expression(text, names, problems_)) return;
    const std::vector<std::string> known = references();
    bool has_metric = false;
    for (const std::size_t name : condition->axes()) {
      if (name < data_.schema->axes.size()) continue;
      has_metric = true;
      const std::string& metric = names.axes[name].name;
      if (std::ranges::find(known, metric) != known.end()) continue;
      report_metric(text.where, metric,
                    fmt::format("metric '{}' does not have a reference column in [study.table]", metric));
      return;
    }
    if (!has_metric) problems_.add(text.where, fmt::format("observation '{}' does not name a metric", text.text));
    std::string name = text.text;
    std::erase_if(name, [](char c) { return std::string_view(" \t\r\n").find(c) != std::string_view::npos; });
    if (std::ranges::find(fit.observations, name, &Observation::name) != fit.observations.end())
      problems_.add(text.where, fmt::format("duplicate observation '{}'", name));
    if (setting.row_weight.is_given()) {
      const auto weight = Condition::compile(setting.row_weight, *data_.schema, problems_);
      if (!weight || !unit_of_expression(setting.row_weight, *data_.schema, problems_)) return;
    }
    fit.observations.push_back({std::move(name), text, setting.weight, setting.row_weight, setting.floor});
  }

  void report_metric(const SourcePosition& where, const std::string& name, const std::string& reason) {
    const std::vector<std::string> known = references();
    // The table itself has mistakes.
    if (known.empty() && !problems_.problems().empty()) return;
    problems_.add(where, fmt::format("{}{}; {}", reason, suggestion(name, known),
                                     known.empty() ? "name its column in 'reference' of [study.table]"
                                                   : fmt::format("references: {}", fmt::join(known, ", "))));
  }

  std::optional<KeyColumn> find_column(const PlacedText& name) {
    for (std::size_t i = 0; i < data_.carried.size(); ++i) {
      if (data_.carried[i].role == CarriedColumn::Role::label && data_.carried[i].name == name.text)
        return KeyColumn{false, i};
    }
    const int axis = data_.schema->axis_index(name.text);
    if (axis >= 0) return KeyColumn{true, static_cast<std::size_t>(axis)};
    std::vector<std::string> names;
    for (const CarriedColumn& carried : data_.carried) {
      if (carried.role == CarriedColumn::Role::label) names.push_back(carried.name);
    }
    const std::string labels = names.empty() ? "" : fmt::format("; labels: {}", fmt::join(names, ", "));
    for (const systems::Axis& described : data_.schema->axes) names.push_back(described.name);
    problems_.add(name.where, fmt::format("'{}' is neither a label of [study.table] nor an axis{}{}", name.text,
                                          suggestion(name.text, names), labels));
    return std::nullopt;
  }

  /// The range that the block gives a constant, or that of the hardware files, the widest of which counts.
  std::optional<FittedConstant> range_of(std::size_t axis) {
    const systems::Axis& described = data_.schema->axes[axis];
    const auto given =
        std::ranges::find(block_.ranges, described.name,
                          [](const RangeSetting& setting) -> const std::string& { return setting.axis.name; });
    std::optional<FittedConstant> ends;
    if (given != block_.ranges.end()) {
      if (!given->is_range) return std::nullopt;  // reported with the ranges
      if (const auto range = make_range(described, *given, problems_)) ends = std::visit(EndsOf{}, *range);
    } else {
      for (const std::string& file : hardware_.values()) {
        const HardwareConstant* constant = hardware_.in_file(described, file);
        if (constant == nullptr || !constant->uncertainty) continue;
        const auto own = std::visit(EndsOf{}, constant->uncertainty->range);
        if (!own) continue;
        if (!ends) ends = own;
        ends->low = std::min(ends->low, own->low);
        ends->high = std::max(ends->high, own->high);
      }
    }
    if (ends) ends->axis = axis;
    return ends;
  }

  bool follows_hardware(std::size_t axis) const {
    return data_.origins[axis].kind == systems::ValueOrigin::Kind::hardware;
  }

  /// True if the value comes from the hardware files and is a number.
  bool can_be_fitted(std::size_t axis) const {
    const systems::Axis& described = data_.schema->axes[axis];
    const bool is_number = described.type == ValueType::real || described.type == ValueType::integer;
    return is_hardware_constant(described) && is_number && follows_hardware(axis);
  }

  bool is_error_factor(std::size_t axis) const {
    return can_be_fitted(axis) && std::ranges::any_of(hardware_.values(), [&](const std::string& file) {
             const HardwareConstant* constant = hardware_.in_file(data_.schema->axes[axis], file);
             return constant != nullptr && constant->uncertainty &&
                    std::holds_alternative<LogNormal>(constant->uncertainty->range);
           });
  }

  void add_constants(Calibration& fit) {
    const std::size_t before = problems_.problems().size();
    check_ranges();
    std::vector<bool> used(block_.constants.size());
    for (std::size_t axis = 0; axis < data_.schema->axes.size(); ++axis) {
      const std::string& name = data_.schema->axes[axis].name;
      bool is_named = block_.constants.empty();
      for (std::size_t i = 0; i < used.size(); ++i) {
        if (!matches(block_.constants[i].text, name)) continue;
        is_named = true;
        // Whether it can be fitted shows for a single name only.
        const bool is_single = block_.constants[i].text.find('*') == std::string::npos;
        if (can_be_fitted(axis) || is_single) used[i] = true;
        if (is_single) check_single(block_.constants[i], axis);
      }
      if (!is_named || !can_be_fitted(axis)) continue;
      if (const auto constant = range_of(axis)) fit.constants.push_back(*constant);
    }
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (!used[i]) report_unknown(block_.constants[i]);
    }
    if (fit.constants.empty() && problems_.problems().size() == before)
      problems_.add(block_.where,
                    "the hardware file does not give any of the constants a range: add [study.calibration.ranges]");
  }

  /// A constant that is named itself must be one that can be fitted.
  void check_single(const PlacedText& name, std::size_t axis) {
    if (!follows_hardware(axis)) {
      problems_.add(name.where,
                    fmt::format("the study sets '{}': only values of the hardware file are fitted", name.text));
    } else if (!can_be_fitted(axis)) {
      problems_.add(name.where, fmt::format("'{}' is not a number of the hardware file", name.text));
    } else if (!range_of(axis)) {
      problems_.add(name.where, fmt::format("'{}' does not have a range with two ends in the hardware file: add it to "
                                            "[study.calibration.ranges]",
                                            name.text));
    }
  }

  void report_unknown(const PlacedText& pattern) {
    std::vector<std::string> names;
    for (std::size_t axis = 0; axis < data_.schema->axes.size(); ++axis) {
      if (can_be_fitted(axis)) names.push_back(data_.schema->axes[axis].name);
    }
    problems_.add(pattern.where, fmt::format("'{}' does not match any constant of system '{}'{}", pattern.text,
                                             data_.schema->name, suggestion(pattern.text, names)));
  }

  void check_ranges() {
    for (const RangeSetting& setting : block_.ranges) {
      const int axis = data_.schema->axis_index(setting.axis.name);
      if (!setting.axis.malformed.empty()) {
        problems_.add(setting.axis.where, setting.axis.malformed);
      } else if (!setting.is_range) {
        problems_.add(setting.axis.where,
                      fmt::format("'{}': expected a range {{ from = ..., to = ... }}", setting.axis.name));
      } else if (axis < 0 || !can_be_fitted(static_cast<std::size_t>(axis))) {
        report_unknown({setting.axis.name, setting.axis.where, {}});
      } else {
        ProblemList reported_with_the_constant;
        const auto range =
            make_range(data_.schema->axes[static_cast<std::size_t>(axis)], setting, reported_with_the_constant);
        if (range && is_single(*range))
          problems_.add(setting.axis.where,
                        fmt::format("'{}': a constant is fitted between two different values", setting.axis.name));
      }
    }
  }

  const CalibrationBlock& block_;
  const StudyData& data_;
  const StudyHardware& hardware_;
  ProblemList& problems_;
};

}  // namespace

Calibration resolve_calibration(const CalibrationBlock& block, const StudyData& data, const StudyHardware& hardware,
                                ProblemList& problems) {
  return CalibrationResolver(block, data, hardware, problems).resolve();
}

}  // namespace pimsweep::sweep
