#include "sweep/study_search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "sweep/condition.h"
#include "sweep/expression_tokens.h"
#include "sweep/expression_unit.h"
#include "sweep/sample_range.h"

namespace pimsweep::sweep {

namespace {

constexpr std::uint64_t default_population = 100;

class SearchResolver {
 public:
  SearchResolver(const SearchBlock& block, const systems::Schema& axes, const std::vector<DerivedMetric>& derived,
                 ProblemList& problems)
      : block_(block), axes_(axes), derived_(derived), problems_(problems) {
    search_.names = std::make_shared<systems::Schema>(with_metrics_as_axes(axes_));
  }

  SearchSettings resolve(const std::vector<PlacedText>& where) {
    search_.algorithm = block_.algorithm;
    search_.seed = block_.seed;
    search_.population = block_.population.value_or(default_population);
    for (const AxisSetting& setting : block_.recheck) search_.recheck.push_back(setting.name);
    set_budget();
    for (const PlacedText& name : block_.min) add_objective(name, false);
    for (const PlacedText& name : block_.max) add_objective(name, true);
    for (const PlacedText& text : where) add_condition(text, axes_);
    for (const PlacedText& text : block_.constraints) add_condition(text, *search_.names);
    search_.observed.assign(observed_.begin(), observed_.end());
    return std::move(search_);
  }

 private:
  void set_budget() {
    search_.points = block_.points.value_or(0);
    if (!block_.generations) return;
    if (*block_.generations > max_search_points / search_.population) {
      problems_.add(block_.where, fmt::format("{} generations of {} points are more than {} points",
                                              *block_.generations, search_.population, max_search_points));
      return;
    }
    search_.points = *block_.generations * search_.population;
  }

  std::vector<std::string> numbers() const {
    std::vector<std::string> names;
    for (const systems::Metric& metric : axes_.metrics) {
      if (metric.type != ValueType::text) names.push_back(metric.name);
    }
    for (const DerivedMetric& metric : derived_) names.push_back(metric.metric.name);
    return names;
  }

  /// True if a single name is that of a metric with numbers; otherwise the reason is reported.
  bool check_metric(const PlacedText& name) {
    const std::vector<std::string> known = numbers();
    if (std::ranges::find(known, name.text) != known.end()) return true;
    if (axes_.metric_index(name.text) >= 0) {
      problems_.add(name.where, fmt::format("metric '{}' is text and cannot be an objective; allowed: {}", name.text,
                                            fmt::join(known, ", ")));
    } else {
      problems_.add(name.where, fmt::format("unknown metric '{}' of system '{}'{}; metrics: {}", name.text, axes_.name,
                                            suggestion(name.text, known), fmt::join(known, ", ")));
    }
    return false;
  }

  void add_objective(const PlacedText& text, bool maximize) {
    SearchObjective objective{text.text, expanded(text, derived_), maximize};
    std::erase_if(objective.name, [](char c) { return std::string_view(" \t\r\n").find(c) != std::string_view::npos; });
    if (is_name(text.text) && !check_metric(text)) return;
    const std::optional<Condition> condition = Condition::compile(objective.expression, *search_.names, problems_);
    if (!condition || !unit_of_expression(objective.expression, *search_.names, problems_)) return;
    if (std::ranges::find(search_.objectives, objective.name, &SearchObjective::name) != search_.objectives.end()) {
      problems_.add(text.where, fmt::format("duplicate objective '{}'", text.text));
      return;
    }
    if (!observe_metrics(*condition))
      problems_.add(text.where, fmt::format("objective '{}' names no metric", text.text));
    search_.objectives.push_back(std::move(objective));
  }

  /// True if the condition names a metric.
  bool observe_metrics(const Condition& condition) {
    bool has_metric = false;
    for (const std::size_t name : condition.axes()) {
      if (name < axes_.axes.size()) continue;
      has_metric = true;
      observed_.insert(static_cast<std::size_t>(axes_.metric_index(search_.names->axes[name].name)));
    }
    return has_metric;
  }

  /// A condition without metrics does not need an evaluation.
  void add_condition(const PlacedText& text, const systems::Schema& names) {
    const PlacedText whole = expanded(text, derived_);
    const std::optional<Condition> condition = Condition::compile(whole, names, problems_);
    if (condition) (observe_metrics(*condition) ? search_.constraints : search_.where).push_back(whole);
  }

  const SearchBlock& block_;
  const systems::Schema& axes_;
  const std::vector<DerivedMetric>& derived_;
  ProblemList& problems_;
  SearchSettings search_;
  std::set<std::size_t> observed_;
};

/// True if the numbers of a column strictly rise or strictly fall.
bool is_monotonic(const Factor::Column& column, std::uint64_t steps) {
  const auto is_number = [](const Value& value) {
    return type_of(value) == ValueType::integer || type_of(value) == ValueType::real;
  };
  if (!std::ranges::all_of(column.values, is_number)) return false;
  bool rises = true;
  bool falls = true;
  for (std::uint64_t step = 1; step < steps; ++step) {
    const double before = to_real(column.at(step - 1));
    const double after = to_real(column.at(step));
    rises = rises && before < after;
    falls = falls && before > after;
  }
  return rises || falls;
}

}  // namespace

std::optional<std::vector<Value>> range_values(const systems::Axis& axis, const RangeSetting& setting,
                                               ProblemList& problems) {
  const std::optional<SampleRange> range = make_range(axis, setting, problems);
  if (!range) return std::nullopt;
  const std::optional<std::uint64_t> count = value_count(*range);
  if (!count) {
    problems.add(setting.axis.where,
                 fmt::format("the range of '{}' does not have a step: a search chooses from discrete values",
                             setting.axis.name));
    return std::nullopt;
  }
  if (*count > max_range_values) {
    problems.add(setting.axis.where,
                 fmt::format("the range of '{}' has {} values, more than the limit of {}: use a larger step",
                             setting.axis.name, *count, max_range_values));
    return std::nullopt;
  }
  std::vector<Value> values;
  values.reserve(*count);
  for (std::uint64_t n = 0; n < *count; ++n) values.push_back(value_at(*range, n, *count));
  return values;
}

SearchSettings resolve_search(const SearchBlock& block, const systems::Schema& axes,
                              const std::vector<PlacedText>& where, const std::vector<DerivedMetric>& derived,
                              ProblemList& problems) {
  return SearchResolver(block, axes, derived, problems).resolve(where);
}

void set_dimensions(const StudyData& data, SearchSettings& search) {
  for (std::size_t f = search.recheck.empty() ? 0 : 1; f < data.factors.size(); ++f) {
    const Factor& factor = data.factors[f];
    const bool ordered = std::ranges::any_of(
        factor.columns, [&](const Factor::Column& column) { return is_monotonic(column, factor.size); });
    search.dimensions.push_back({factor.size, ordered});
    search.space *= factor.size;
  }
}

}  // namespace pimsweep::sweep
