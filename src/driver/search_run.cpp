#include "driver/search_run.h"

#include <algorithm>
#include <cfenv>
#include <cmath>

#include "driver/search_front.h"
#include "search/search.h"
#include "sweep/derived_metrics.h"

namespace pimsweep::driver {

namespace {

std::vector<PlacedText> expressions_of(const std::vector<sweep::SearchObjective>& objectives) {
  std::vector<PlacedText> texts;
  texts.reserve(objectives.size());
  for (const sweep::SearchObjective& objective : objectives) texts.push_back(objective.expression);
  return texts;
}

/// The conditions were compiled when the plan was read.
std::vector<sweep::Condition> compile(const std::vector<PlacedText>& texts, const systems::Schema& names) {
  std::vector<sweep::Condition> conditions;
  ProblemList problems;
  for (const PlacedText& text : texts) {
    if (auto condition = sweep::Condition::compile(text, names, problems)) conditions.push_back(std::move(*condition));
  }
  problems.throw_if_any();
  return conditions;
}

std::vector<std::size_t> places_of(const sweep::SearchSettings& search, const systems::Schema& schema) {
  std::vector<std::size_t> places;
  for (std::size_t name = schema.axes.size(); name < search.names->axes.size(); ++name) {
    const auto metric = static_cast<std::size_t>(schema.metric_index(search.names->axes[name].name));
    places.push_back(static_cast<std::size_t>(std::ranges::find(search.observed, metric) - search.observed.begin()));
  }
  return places;
}

}  // namespace

SearchRun::SearchRun(const sweep::Plan& plan, std::size_t study, Evaluator& evaluator, const KnownObservations& known,
                     SearchLog& log)
    : study_(plan.studies[study]),
      settings_(*study_.search()),
      product_(study_.space()),
      offset_(plan.offset(study)),
      evaluator_(evaluator),
      known_(known),
      log_(log),
      space_(settings_.dimensions),
      objectives_(compile(expressions_of(settings_.objectives), *settings_.names)),
      where_(compile(settings_.where, *settings_.names)),
      constraints_(compile(settings_.constraints, *settings_.names)),
      places_(places_of(settings_, study_.schema())),
      point_(study_.schema().axes.size()) {}

void SearchRun::run(const Evaluate& evaluate) {
  evaluate_ = evaluate;
  bool is_complete = false;
  try {
    search::run_search(settings_, *this);
    is_complete = true;
  } catch (const Stopped&) {
    // What is known so far goes to the results file.
  }
  const std::uint64_t points = log_.rows.size();
  // A generation that was stopped in the middle has not been looked at.
  for (std::uint64_t row = 0; row < points && !is_complete; ++row) fitness_of(row);
  mark_front(settings_, 0, points, log_);
  count_generations(settings_, points, log_);
  if (is_complete && !settings_.recheck.empty()) recheck(points);
}

void SearchRun::recheck(std::uint64_t points) {
  std::vector<std::uint64_t> front;
  for (std::uint64_t row = 0; row < points; ++row) {
    if (log_.rows[row].is_in_front) front.push_back(settings_.space + study_.chosen(row));
  }
  try {
    evaluate_points(front);
  } catch (const Stopped&) {
    return;
  }
  for (std::uint64_t row = points; row < log_.rows.size(); ++row) fitness_of(row);
  mark_front(settings_, points, log_.rows.size(), log_);
}

void SearchRun::observe(std::uint64_t index, Observation observation) {
  log_.rows.at(index).observation = std::move(observation);
}

bool SearchRun::set_operands(sweep::Condition& condition, const Observation* observation) {
  const std::size_t axes = study_.schema().axes.size();
  bool is_whole = true;
  for (std::size_t i = 0; i < condition.axes().size(); ++i) {
    const std::size_t name = condition.axes()[i];
    const double number = name < axes ? condition.number(point_[name]) : observation->numbers[places_[name - axes]];
    is_whole = is_whole && !std::isnan(number);
    condition.set(i, number);
  }
  return is_whole;
}

std::vector<double> SearchRun::objectives_of(const Observation& observation) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < objectives_.size(); ++i) {
    if (!set_operands(objectives_[i], &observation)) return {};
    const double number = sweep::finite_value(objectives_[i]);
    if (std::isnan(number)) return {};
    numbers.push_back(settings_.objectives[i].maximize ? -number : number);
  }
  return numbers;
}

/// True if a condition is true; of the metrics in `observation`, if there is one. It is not where it has no value.
bool SearchRun::holds(sweep::Condition& condition, const Observation* observation) {
  set_operands(condition, observation);
  std::feclearexcept(FE_INVALID);
  const double truth = condition.evaluate();
  return std::fetestexcept(FE_INVALID) == 0 && !std::isnan(truth) && truth != 0;
}

bool SearchRun::is_allowed(const search::Design& design) {
  product_.point(space_.index_of(design), point_);
  return std::ranges::all_of(where_, [&](sweep::Condition& condition) { return holds(condition, nullptr); });
}

search::Fitness SearchRun::fitness_of(std::uint64_t index) {
  SearchLog::Row& row = log_.rows[index];
  // Infeasible or failed: further from feasible than any result that misses constraints.
  search::Fitness fitness{{}, static_cast<double>(constraints_.size() + 1)};
  if (row.observation.status != systems::Status::ok) return fitness;
  study_.point(index, point_);
  row.objectives = objectives_of(row.observation);
  fitness.objectives = row.objectives;
  if (row.objectives.empty()) return fitness;
  fitness.violation = static_cast<double>(std::ranges::count_if(
      constraints_, [&](sweep::Condition& condition) { return !holds(condition, &row.observation); }));
  row.is_feasible = fitness.is_feasible();
  return fitness;
}

void SearchRun::evaluate_points(const std::vector<std::uint64_t>& product_indices) {
  const std::uint64_t first = log_.rows.size();
  const std::uint32_t generation = log_.rows.empty() ? 1 : log_.rows.back().generation + 1;
  std::vector<Range> missing;
  for (const std::uint64_t product_index : product_indices) {
    const std::uint64_t index = log_.rows.size();
    study_.choose(index, product_index);
    SearchLog::Row& row = log_.rows.emplace_back(SearchLog::Row{.generation = generation});
    const std::uint64_t point = offset_ + index;
    if (const auto known = known_.find(evaluator_.identity(point)); known != known_.end()) {
      row.observation = known->second;
      ++log_.reused;
    } else if (!missing.empty() && missing.back().end == point) {
      ++missing.back().end;
    } else {
      missing.push_back({point, point + 1});
    }
  }
  if (!missing.empty()) evaluate_(missing);
  for (std::uint64_t index = first; index < log_.rows.size(); ++index) {
    if (log_.rows[index].observation.status == systems::Status::not_run) throw Stopped();
  }
}

std::vector<search::Fitness> SearchRun::evaluate(const std::vector<search::Design>& generation) {
  std::vector<std::uint64_t> product_indices;
  product_indices.reserve(generation.size());
  for (const search::Design& design : generation) product_indices.push_back(space_.index_of(design));
  const std::uint64_t first = log_.rows.size();
  evaluate_points(product_indices);
  std::vector<search::Fitness> fitness;
  for (std::uint64_t index = first; index < log_.rows.size(); ++index) fitness.push_back(fitness_of(index));
  return fitness;
}

}  // namespace pimsweep::driver
