#include "sweep/study_search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "sweep/condition.h"
#include "sweep/sample_range.h"

namespace pimsweep::sweep {

namespace {

constexpr std::uint64_t default_population = 100;

/// The axes, followed by the numeric metrics, as axes.
std::shared_ptr<const systems::Schema> names_of_search(const systems::Schema& axes) {
  auto names = std::make_shared<systems::Schema>(axes);
  for (const systems::Metric& metric : axes.metrics) {
    if (metric.type == ValueType::text) continue;
    systems::Axis& name = names->axes.emplace_back();
    name.name = metric.name;
    name.unit = metric.unit;
  }
  return names;
}

class SearchResolver {
 public:
  SearchResolver(const SearchBlock& block, const systems::Schema& axes, ProblemList& problems)
      : block_(block), axes_(axes), problems_(problems) {}

  SearchSettings resolve(const std::vector<PlacedText>& where) {
    search_.algorithm = block_.algorithm;
    search_.seed = block_.seed;
    search_.population = block_.population.value_or(default_population);
    for (const AxisSetting& setting : block_.recheck) search_.recheck.push_back(setting.name);
    set_budget();
    for (const PlacedText& name : block_.min) add_objective(name, false);
    for (const PlacedText& name : block_.max) add_objective(name, true);
    search_.names = names_of_search(axes_);
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

  void add_objective(const PlacedText& name, bool maximize) {
    const int index = axes_.metric_index(name.text);
    std::vector<std::string> numbers;
    for (const systems::Metric& metric : axes_.metrics) {
      if (metric.type != ValueType::text) numbers.push_back(metric.name);
    }
    if (index < 0) {
      problems_.add(name.where, fmt::format("unknown metric '{}' of system '{}'{}; metrics: {}", name.text, axes_.name,
                                            suggestion(name.text, numbers), fmt::join(numbers, ", ")));
      return;
    }
    const auto metric = static_cast<std::size_t>(index);
    if (axes_.metrics[metric].type == ValueType::text) {
      problems_.add(name.where, fmt::format("metric '{}' is text and cannot be an objective; allowed: {}", name.text,
                                            fmt::join(numbers, ", ")));
      return;
    }
    if (std::ranges::find(search_.objectives, metric, &SearchObjective::metric) != search_.objectives.end()) {
      problems_.add(name.where, fmt::format("duplicate objective '{}'", name.text));
      return;
    }
    search_.objectives.push_back({metric, maximize});
    observed_.insert(metric);
  }

  /// A condition without metrics does not need an evaluation.
  void add_condition(const PlacedText& text, const systems::Schema& names) {
    const std::optional<Condition> condition = Condition::compile(text, names, problems_);
    if (!condition) return;
    bool has_metric = false;
    for (const std::size_t name : condition->axes()) {
      if (name < axes_.axes.size()) continue;
      has_metric = true;
      observed_.insert(static_cast<std::size_t>(axes_.metric_index(names.axes[name].name)));
    }
    (has_metric ? search_.constraints : search_.where).push_back(text);
  }

  const SearchBlock& block_;
  const systems::Schema& axes_;
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
                              const std::vector<PlacedText>& where, ProblemList& problems) {
  return SearchResolver(block, axes, problems).resolve(where);
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
