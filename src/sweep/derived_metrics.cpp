#include "sweep/derived_metrics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sweep/expression_tokens.h"
#include "sweep/expression_unit.h"

namespace pimsweep::sweep {

namespace {

/// The name of a variable, in expressions and as a dataset.
bool is_variable(const std::string& name) {
  constexpr const char* letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return !name.empty() && (name.front() < '0' || name.front() > '9') &&
         name.find_first_not_of(letters) == std::string::npos;
}

class DerivedResolver {
 public:
  DerivedResolver(const std::vector<DerivedSetting>& settings, const systems::Schema& schema,
                  const systems::Schema& names, ProblemList& problems)
      : settings_(settings), schema_(schema), names_(names), problems_(problems), states_(settings.size()) {}

  std::vector<DerivedMetric> resolve() {
    for (std::size_t i = 0; i < settings_.size(); ++i) resolve(i);
    return std::move(resolved_);
  }

 private:
  enum class State : std::uint8_t { untouched, open, resolved, broken };

  /// True if the metric can be used.
  bool resolve(std::size_t i) {
    if (states_[i] != State::untouched) return states_[i] == State::resolved;
    states_[i] = State::open;
    open_.push_back(i);
    const bool is_valid = check_name(settings_[i]) && resolve_operands(settings_[i]) && compile(settings_[i]);
    open_.pop_back();
    states_[i] = is_valid ? State::resolved : State::broken;
    return is_valid;
  }

  bool check_name(const DerivedSetting& setting) {
    const std::string& name = setting.name;
    std::string reason;
    if (!is_variable(name))
      reason = "use letters, digits and '_', and no digit at the beginning";
    else if (schema_.axis_index(name) >= 0)
      reason = fmt::format("it is an axis of system '{}'", schema_.name);
    else if (schema_.metric_index(name) >= 0)
      reason = fmt::format("it is a metric of system '{}'", schema_.name);
    else if (schema_.table_index(name) >= 0)
      reason = fmt::format("it is a table of system '{}'", schema_.name);
    else if (Condition::is_built_in(name))
      reason = "it is a function or constant of expressions";
    if (!reason.empty())
      problems_.add(setting.where, fmt::format("a derived metric cannot be named '{}': {}", name, reason));
    return reason.empty();
  }

  /// Resolves the derived metrics that an expression names.
  bool resolve_operands(const DerivedSetting& setting) {
    bool is_valid = true;
    ProblemList reported_later;
    for (const Token& token : read_tokens(setting.expression, reported_later)) {
      const auto named = std::ranges::find(settings_, token.text, &DerivedSetting::name);
      if (token.kind != Token::Kind::name || named == settings_.end()) continue;
      const auto i = static_cast<std::size_t>(named - settings_.begin());
      if (states_[i] == State::open) {
        problems_.add(setting.expression.at(token.begin),
                      fmt::format("derived metric '{}' depends on itself: {}", token.text, circle(i)));
        is_valid = false;
      } else {
        is_valid = resolve(i) && is_valid;
      }
    }
    return is_valid;
  }

  std::string circle(std::size_t i) const {
    std::string text;
    for (auto at = std::ranges::find(open_, i); at != open_.end(); ++at) text += settings_[*at].name + " -> ";
    return text + settings_[i].name;
  }

  bool compile(const DerivedSetting& setting) {
    constexpr std::size_t max_length = 4000;  // definitions may double what they name
    PlacedText whole = expanded(setting.expression, resolved_);
    if (whole.text.size() > max_length) {
      problems_.add(setting.expression.where, fmt::format("the expression of '{}' is too long", setting.name));
      return false;
    }
    if (!Condition::compile(whole, names_, problems_)) return false;
    const std::optional<std::string> unit = unit_of_expression(whole, names_, problems_);
    if (!unit) return false;
    systems::Metric metric{.name = setting.name, .unit = *unit, .doc = setting.expression.text};
    metric.range = systems::Range::any;
    metric.absent = "a metric that it depends on is missing, or its value is not finite";
    resolved_.push_back({std::move(metric), setting.where, std::move(whole)});
    return true;
  }

  const std::vector<DerivedSetting>& settings_;
  const systems::Schema& schema_;
  const systems::Schema& names_;
  ProblemList& problems_;
  std::vector<State> states_;
  /// Metrics that wait for the ones that they name.
  std::vector<std::size_t> open_;
  std::vector<DerivedMetric> resolved_;
};

}  // namespace

systems::Schema with_metrics_as_axes(const systems::Schema& schema) {
  systems::Schema names = schema;
  for (const systems::Metric& metric : schema.metrics) {
    if (metric.type == ValueType::text) continue;
    systems::Axis& name = names.axes.emplace_back();
    name.name = metric.name;
    name.unit = metric.unit;
  }
  return names;
}

std::vector<DerivedMetric> resolve_derived(const std::vector<DerivedSetting>& settings, const systems::Schema& schema,
                                           const systems::Schema& names, ProblemList& problems) {
  return DerivedResolver(settings, schema, names, problems).resolve();
}

PlacedText expanded(const PlacedText& text, const std::vector<DerivedMetric>& derived) {
  PlacedText whole{{}, text.where, {}};
  const auto append = [&](std::string_view part, std::size_t offset, bool is_copy) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      const SourcePosition at = text.at(offset + (is_copy ? i : 0));
      whole.places.push_back({static_cast<std::uint32_t>(at.line), static_cast<std::uint32_t>(at.column)});
    }
    whole.text += part;
  };
  std::size_t copied = 0;
  ProblemList reported_later;
  for (const Token& token : read_tokens(text, reported_later)) {
    const auto named =
        std::ranges::find_if(derived, [&](const DerivedMetric& metric) { return metric.metric.name == token.text; });
    if (token.kind != Token::Kind::name || named == derived.end()) continue;
    append(std::string_view(text.text).substr(copied, token.begin - copied), copied, true);
    append(fmt::format("({})", named->expression.text), token.begin, false);
    copied = token.begin + token.text.size();
  }
  append(std::string_view(text.text).substr(copied), copied, true);
  const SourcePosition end = text.at(text.text.size());
  whole.places.push_back({static_cast<std::uint32_t>(end.line), static_cast<std::uint32_t>(end.column)});
  return whole;
}

double finite_value(const Condition& condition) {
  const double value = condition.evaluate();
  return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
}

DerivedValues::DerivedValues(const std::vector<DerivedMetric>& derived, const systems::Schema& schema)
    : schema_(schema) {
  if (derived.empty()) return;
  const systems::Schema names = with_metrics_as_axes(schema);
  ProblemList problems;
  for (const DerivedMetric& metric : derived) {
    auto condition = Condition::compile(metric.expression, names, problems);
    if (!condition) continue;
    Formula& formula = formulas_.emplace_back(Formula{std::move(*condition), {}});
    for (const std::size_t name : formula.condition.axes()) {
      if (name < schema.axes.size()) continue;
      formula.metrics.push_back(static_cast<std::size_t>(schema.metric_index(names.axes[name].name)));
    }
  }
  problems.throw_if_any();
}

void DerivedValues::append(const systems::Point& point, systems::Record& record) {
  for (Formula& formula : formulas_) {
    Condition& condition = formula.condition;
    bool is_whole = record.status == systems::Status::ok;
    auto metric = formula.metrics.begin();
    for (std::size_t i = 0; i < condition.axes().size() && is_whole; ++i) {
      const std::size_t name = condition.axes()[i];
      const double number =
          name < schema_.axes.size() ? condition.number(point[name]) : to_real(record.metrics[*metric++]);
      is_whole = !std::isnan(number);
      condition.set(i, number);
    }
    record.metrics.emplace_back(is_whole ? finite_value(condition) : std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace pimsweep::sweep
