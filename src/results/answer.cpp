#include "results/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

namespace pimsweep::results {

namespace {

const DataColumn& column_of(const DataFrame& frame, const std::string& name, const Query& query) {
  const auto found = frame.columns.find(name);
  if (found != frame.columns.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, column] : frame.columns) names.push_back(known);
  throw InputError(query.where, fmt::format("{}: study '{}' has no column '{}'{}", query.id, query.study, name,
                                            suggestion(name, names)));
}

/// A column that must hold numbers.
const std::vector<double>& numbers_of(const DataFrame& frame, const std::string& name, const Query& query) {
  const DataColumn& column = column_of(frame, name, query);
  if (!column.is_text()) return column.numbers;
  throw InputError(query.where, fmt::format("{}: column '{}' of study '{}' holds texts, but numbers are needed",
                                            query.id, name, query.study));
}

bool allowed(const DataColumn& column, std::size_t row, const std::vector<std::string>& values) {
  return std::any_of(values.begin(), values.end(), [&](const std::string& value) {
    if (column.is_text()) return column.texts[row] == value;
    return number_in(value) == column.numbers[row];
  });
}

std::vector<std::size_t> select_rows(const DataFrame& frame, const std::vector<Selection>& selections,
                                     const Query& query) {
  const DataColumn& metric = column_of(frame, query.metric, query);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < frame.rows; ++row) {
    // A point without a result has no number; an infeasible one may have some, such as the memory that it would need.
    if (!metric.is_text() && std::isnan(metric.numbers[row])) continue;
    const bool all = std::all_of(selections.begin(), selections.end(), [&](const Selection& selection) {
      return allowed(column_of(frame, selection.column, query), row, selection.allowed);
    });
    if (all) rows.push_back(row);
  }
  return rows;
}

bool selects(const std::vector<Selection>& selections, const std::string& column) {
  return std::any_of(selections.begin(), selections.end(), [&](const Selection& s) { return s.column == column; });
}

using Names = std::set<std::string>;

/// Where pairs are of two hardware files: the constants that have one value on each machine, and so tell no rows of it
/// apart. On drawn machines these are no longer the values of the files.
Names constants_of_machines(const DataFrame& frame, const Query& query) {
  Names names;
  if (!selects(query.over, "hardware")) return names;
  const DataColumn& hardware = column_of(frame, "hardware", query);
  const auto is_constant = [&](const DataColumn& column) {
    std::map<std::string, std::string> cells;
    for (std::size_t row = 0; row < frame.rows; ++row) {
      std::string cell;
      append_cell(column, row, cell);
      if (cells.try_emplace(hardware.texts.at(row), cell).first->second != cell) return false;
    }
    return true;
  };
  for (const auto& [name, column] : frame.columns) {
    if (name.starts_with("hardware.") && is_constant(column)) names.insert(name);
  }
  return names;
}

/// The cells that must agree for two rows to be paired: all axes but those that `over` names and the constants of the
/// machines. Along an axis, that axis and those that change together with it are left out too.
std::string pairing_key(const DataFrame& frame, std::size_t row, const Query& query, const Names& constants,
                        const std::string& along = {}) {
  std::string key;
  const auto left_out = [&](const std::string& name) {
    if (constants.contains(name)) return true;
    if (along.empty()) return selects(query.over, name);
    return name == along || selects(query.over, name) ||
           std::find(query.together.begin(), query.together.end(), name) != query.together.end();
  };
  for (const auto& [name, column] : frame.columns) {
    if (column.role == ColumnRole::axis && !column.follows_hardware && !left_out(name)) append_cell(column, row, key);
  }
  for (const std::string& name : query.pair) {
    if (name != along) append_cell(column_of(frame, name, query), row, key);
  }
  return key;
}

/// One value of the query, with the row of `select` that it came from.
struct Sample {
  std::size_t row;
  double value;
  bool holds = true;
};

/// Whether a claim about pairs holds, up to rounding.
bool claim_holds(Claim claim, double value, double other) {
  constexpr double rounding = 1e-12;
  switch (claim) {
    case Claim::at_least:
      return value >= other * (1 - rounding);
    case Claim::at_most:
      return value <= other * (1 + rounding);
    case Claim::above:
      return value > other * (1 + rounding);
    case Claim::below:
      return value < other * (1 - rounding);
    case Claim::none:
    case Claim::increasing:
    case Claim::decreasing:
      break;
  }
  return true;
}

std::vector<Sample> samples_of(const DataFrame& frame, const Query& query) {
  const DataColumn& metric = column_of(frame, query.metric, query);
  std::vector<Sample> samples;
  const std::vector<std::size_t> rows = select_rows(frame, query.select, query);
  if (query.over.empty()) {
    const DataColumn* by = query.by.empty() ? nullptr : &column_of(frame, query.by, query);
    for (const std::size_t row : rows)
      samples.push_back({row, metric.numbers.at(row) / (by == nullptr ? 1 : by->numbers.at(row))});
    return samples;
  }
  const Names constants = constants_of_machines(frame, query);
  std::multimap<std::string, std::size_t> partners;
  for (const std::size_t row : select_rows(frame, query.over, query))
    partners.emplace(pairing_key(frame, row, query, constants), row);
  for (const std::size_t row : rows) {
    const auto [first, last] = partners.equal_range(pairing_key(frame, row, query, constants));
    for (auto partner = first; partner != last; ++partner) {
      const double mine = metric.numbers.at(row);
      const double theirs = metric.numbers.at(partner->second);
      const bool holds = claim_holds(query.claim, mine, theirs);
      samples.push_back({row, theirs / mine, holds});
    }
  }
  return samples;
}

/// Number of comparisons and of those in which the claim holds.
struct Tally {
  std::size_t comparisons = 0;
  std::size_t holding = 0;
  double share() const { return static_cast<double>(holding) / static_cast<double>(comparisons); }
};

Tally tally_pairs(const std::vector<Sample>& samples) {
  const auto holding = std::count_if(samples.begin(), samples.end(), [](const Sample& sample) { return sample.holds; });
  return {samples.size(), static_cast<std::size_t>(holding)};
}

/// Compares neighbors along `query.along` with all other axes equal; equal neighbors satisfy both directions.
Tally tally_neighbors(const DataFrame& frame, const Query& query, const std::vector<Sample>& samples) {
  const std::vector<double>& along = numbers_of(frame, query.along, query);
  const Names constants = constants_of_machines(frame, query);
  std::map<std::string, std::map<double, double>> series;
  for (const Sample& sample : samples) {
    series[pairing_key(frame, sample.row, query, constants, query.along)][along[sample.row]] = sample.value;
  }
  Tally tally;
  for (const auto& [key, values] : series) {
    for (auto next = values.begin(); next != values.end(); ++next) {
      if (next == values.begin()) continue;
      const double step = next->second - std::prev(next)->second;
      ++tally.comparisons;
      if (query.claim == Claim::increasing ? step >= 0 : step <= 0) ++tally.holding;
    }
  }
  return tally;
}

/// The value of `query.along` at the largest or smallest sample, the first of equal ones.
double place_of_extreme(const DataFrame& frame, const std::vector<Sample>& samples, const Query& query) {
  const auto less = [](const Sample& a, const Sample& b) { return a.value < b.value; };
  const auto extreme = query.reduce == Reduction::argmax ? std::max_element(samples.begin(), samples.end(), less)
                                                         : std::min_element(samples.begin(), samples.end(), less);
  return numbers_of(frame, query.along, query)[extreme->row];
}

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

double geometric_mean(const std::vector<double>& values) {
  const double logarithms = std::accumulate(values.begin(), values.end(), 0.0,
                                            [](double sum, double value) { return sum + std::log(value); });
  return std::exp(logarithms / static_cast<double>(values.size()));
}

/// The one value that there must be.
double only_value(const std::vector<double>& values, const Query& query) {
  if (values.size() == 1) return values.front();
  throw InputError(query.where, fmt::format("{}: {} rows match, name a reduction (mean, max, ...) or select one row",
                                            query.id, values.size()));
}

double reduce(std::vector<double> values, const Query& query) {
  std::sort(values.begin(), values.end());
  switch (query.reduce) {
    case Reduction::min:
      return values.front();
    case Reduction::max:
      return values.back();
    case Reduction::median:
      return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
    case Reduction::sum:
      return sum_of(values);
    case Reduction::mean:
      return sum_of(values) / static_cast<double>(values.size());
    case Reduction::geomean:
      return geometric_mean(values);
    case Reduction::all:
      return values.front() == values.back() ? values.front() : only_value(values, query);
    case Reduction::argmax:
    case Reduction::argmin:
    case Reduction::only:
    case Reduction::range:
    case Reduction::most:
      break;
  }
  return only_value(values, query);
}

double reduce(const DataFrame& frame, const std::vector<Sample>& samples, const Query& query) {
  if (query.reduce == Reduction::argmax || query.reduce == Reduction::argmin)
    return place_of_extreme(frame, samples, query);
  std::vector<double> values;
  values.reserve(samples.size());
  for (const Sample& sample : samples) values.push_back(sample.value);
  return reduce(std::move(values), query);
}

/// What the formula of a query makes of a value, in the published unit.
double published_form(double value, const Query& query, const std::string& unit) {
  if (query.formula.empty()) return in_published_unit(value, unit);
  NamedNumbers numbers = query.numbers;
  numbers["value"] = value;
  return in_published_unit(evaluate_formula(query.formula, numbers), unit);
}

/// The smallest and the largest value in a published unit. A larger ratio is a smaller reduction.
std::pair<double, double> ends_of(const std::vector<Sample>& samples, const Query& query, const std::string& unit) {
  const auto [least, most] = std::ranges::minmax(samples, {}, &Sample::value);
  return std::minmax({published_form(least.value, query, unit), published_form(most.value, query, unit)});
}

bool is_average(Reduction reduction) {
  return reduction == Reduction::mean || reduction == Reduction::geomean || reduction == Reduction::median;
}

/// What an average is over: "median of 12 values, 1.1 to 4.9".
std::string spread_of(const std::vector<Sample>& samples, const Query& query, const std::string& unit) {
  const auto [low, high] = ends_of(samples, query, unit);
  return fmt::format("{} of {} values, {:.4g} to {:.4g}", word_of(reduction_words, query.reduce), samples.size(), low,
                     high);
}

/// The smallest and the largest value beside the two ends of a published range.
void answer_range(const std::vector<Sample>& samples, const Query& query, Finding& finding) {
  const auto [low, high] = ends_of(samples, query, finding.published.unit);
  finding.reproduced = fmt::format("{:.4g} .. {:.4g}", low, high);
  judge_ends(low, high, finding);
}

void answer_text(const DataFrame& frame, const Query& query, Finding& finding) {
  const DataColumn& metric = column_of(frame, query.metric, query);
  const std::vector<std::size_t> rows = select_rows(frame, query.select, query);
  std::map<std::string, std::size_t> texts;
  for (const std::size_t row : rows) ++texts[metric.texts[row]];
  const bool one = query.reduce == Reduction::all    ? texts.size() == 1
                   : query.reduce == Reduction::most ? !texts.empty()
                                                     : rows.size() == 1;
  if (!one) return finding.remark(fmt::format("{} rows with {} texts match, one is needed", rows.size(), texts.size()));
  const auto most =
      std::max_element(texts.begin(), texts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  finding.reproduced = most->first;
  if (query.reduce == Reduction::most) finding.remark(fmt::format("{} of {} rows", most->second, rows.size()));
  finding.verdict = finding.reproduced == finding.published.value ? Verdict::exact : Verdict::off;
}

void answer_claim(const DataFrame& frame, const Query& query, const std::vector<Sample>& samples, Finding& finding) {
  const Tally tally = is_about_neighbors(query.claim) ? tally_neighbors(frame, query, samples) : tally_pairs(samples);
  if (tally.comparisons == 0) return;
  finding.number = tally.share();
  finding.reproduced = fmt::format("{:.3g}", tally.share());
  finding.verdict = judge_share(tally.share());
  const std::string explained = fmt::format("share of {} comparisons in which the claim holds", tally.comparisons);
  finding.note = finding.note.empty() ? explained : explained + "; " + finding.note;
}

/// A number in the published unit.
void set_number(double number, Finding& finding) {
  finding.number = number;
  finding.reproduced = fmt::format("{:.4g}", number);
  if (number_in(finding.published.value)) judge_number(number, finding);
}

}  // namespace

void answer(const DataFrame& frame, const Query& query, Finding& finding) {
  if (column_of(frame, query.metric, query).is_text()) return answer_text(frame, query, finding);
  std::vector<Sample> samples = samples_of(frame, query);
  // Ratios of two zeros; a claim about them holds or not.
  if (query.claim == Claim::none) std::erase_if(samples, [](const Sample& sample) { return std::isnan(sample.value); });
  if (samples.empty()) return finding.remark("no point with a result matches");
  if (query.claim != Claim::none) return answer_claim(frame, query, samples, finding);
  if (query.reduce == Reduction::range) return answer_range(samples, query, finding);
  if (is_average(query.reduce) && samples.size() > 1) finding.remark(spread_of(samples, query, finding.published.unit));
  set_number(published_form(reduce(frame, samples, query), query, finding.published.unit), finding);
}

void answer_from_others(const std::vector<double>& values, const Query& query, Finding& finding) {
  if (values.size() < query.of.size()) return finding.remark("not all of its values were recomputed");
  set_number(reduce(values, query), finding);
}

Finding recompute(const PublishedValue& published, const Query& query, const DataFrame* frame) {
  Finding finding;
  finding.published = published;
  finding.note = query.note;
  if (!query.study.empty() || !query.of.empty()) finding.role = word_of(role_words, query.role);
  finding.reading = query.reading;
  if (frame != nullptr) answer(*frame, query, finding);
  if (!query.inconsistent.empty()) {
    finding.verdict = Verdict::inconsistent;
    finding.note = query.inconsistent + (finding.note.empty() ? "" : "; " + finding.note);
  }
  return finding;
}

}  // namespace pimsweep::results
