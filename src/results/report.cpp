#include "results/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/csv.h"
#include "base/quantity.h"
#include "results/data_frame.h"
#include "results/results_reader.h"

namespace pimsweep {

namespace {

constexpr double within_tolerance = 0.10;
constexpr double mostly = 0.90;

std::optional<double> number(const std::string& text) {
  if (text.empty()) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (*end != '\0') return std::nullopt;
  return value;
}

const DataColumn& column_of(const DataFrame& frame, const std::string& name, const Query& query) {
  const auto found = frame.columns.find(name);
  if (found != frame.columns.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, column] : frame.columns) names.push_back(known);
  throw InputError(query.where, fmt::format("{}: study '{}' has no column '{}'{}", query.id, query.study, name,
                                            suggestion(name, names)));
}

std::string cell_text(const DataColumn& column, std::size_t row) {
  return column.is_text() ? column.texts[row] : fmt::format("{}", column.numbers[row]);
}

bool allowed(const DataColumn& column, std::size_t row, const std::vector<std::string>& values) {
  return std::any_of(values.begin(), values.end(), [&](const std::string& value) {
    if (column.is_text()) return column.texts[row] == value;
    return number(value) == column.numbers[row];
  });
}

std::vector<std::size_t> select_rows(const DataFrame& frame, const std::vector<Selection>& selections,
                                     const Query& query) {
  const DataColumn& metric = column_of(frame, query.metric, query);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < frame.rows; ++row) {
    // A point without a result has no number; an infeasible one may have some (the memory that it would need).
    if (!metric.is_text() && std::isnan(metric.numbers[row])) continue;
    const bool all = std::all_of(selections.begin(), selections.end(), [&](const Selection& selection) {
      return allowed(column_of(frame, selection.column, query), row, selection.allowed);
    });
    if (all) rows.push_back(row);
  }
  return rows;
}

bool names(const std::vector<Selection>& selections, const std::string& column) {
  return std::any_of(selections.begin(), selections.end(), [&](const Selection& s) { return s.column == column; });
}

/// The cells that must agree for two rows to be paired: all axes but those in which `over` and `select` differ by
/// design. Along an axis, that one and those that go together with it are left out.
std::string pairing_key(const DataFrame& frame, std::size_t row, const Query& query, const std::string& along = {}) {
  std::string key;
  const auto append = [&](const DataColumn& column) { key += cell_text(column, row) + '\x1f'; };
  const auto left_out = [&](const std::string& name) {
    if (along.empty()) return names(query.over, name);
    return name == along || names(query.over, name) ||
           std::find(query.together.begin(), query.together.end(), name) != query.together.end();
  };
  for (const auto& [name, column] : frame.columns) {
    if (column.role == "axis" && !left_out(name)) append(column);
  }
  for (const std::string& name : query.pair) {
    if (name != along) append(column_of(frame, name, query));
  }
  return key;
}

/// One value of the query, with the row of `select` that it came from.
struct Sample {
  std::size_t row;
  double value;
  bool holds = true;
};

/// Whether `mine` stands to `theirs` as a claim about pairs says; what differs by rounding alone is equal.
bool goes(const std::string& claim, double mine, double theirs) {
  constexpr double rounding = 1e-12;
  if (claim == "at_least") return mine >= theirs * (1 - rounding);
  if (claim == "above") return mine > theirs * (1 + rounding);
  if (claim == "below") return mine < theirs * (1 - rounding);
  return mine <= theirs * (1 + rounding);
}

std::vector<Sample> samples_of(const DataFrame& frame, const Query& query) {
  const DataColumn& metric = column_of(frame, query.metric, query);
  std::vector<Sample> samples;
  const std::vector<std::size_t> rows = select_rows(frame, query.select, query);
  if (query.over.empty()) {
    for (const std::size_t row : rows) samples.push_back({row, metric.numbers.at(row)});
    return samples;
  }
  std::multimap<std::string, std::size_t> partners;
  for (const std::size_t row : select_rows(frame, query.over, query))
    partners.emplace(pairing_key(frame, row, query), row);
  for (const std::size_t row : rows) {
    const auto [first, last] = partners.equal_range(pairing_key(frame, row, query));
    for (auto partner = first; partner != last; ++partner) {
      const double mine = metric.numbers.at(row);
      const double theirs = metric.numbers.at(partner->second);
      const bool holds = goes(query.claim, mine, theirs);
      samples.push_back({row, theirs / mine, holds});
    }
  }
  return samples;
}

/// Comparisons made and those that went the claimed way.
struct Tally {
  std::size_t comparisons = 0;
  std::size_t holding = 0;
  double share() const { return static_cast<double>(holding) / static_cast<double>(comparisons); }
};

Tally tally_pairs(const std::vector<Sample>& samples) {
  const auto holding = std::count_if(samples.begin(), samples.end(), [](const Sample& sample) { return sample.holds; });
  return {samples.size(), static_cast<std::size_t>(holding)};
}

/// Neighbouring pairs along `query.along`, all other axes equal; a pair holds if it does not go the wrong way.
Tally tally_neighbours(const DataFrame& frame, const Query& query, const std::vector<Sample>& samples) {
  const DataColumn& along = column_of(frame, query.along, query);
  std::map<std::string, std::map<double, double>> series;
  for (const Sample& sample : samples) {
    series[pairing_key(frame, sample.row, query, query.along)][along.numbers.at(sample.row)] = sample.value;
  }
  Tally tally;
  for (const auto& [key, values] : series) {
    for (auto next = values.begin(); next != values.end(); ++next) {
      if (next == values.begin()) continue;
      const double step = next->second - std::prev(next)->second;
      ++tally.comparisons;
      if (query.claim == "increasing" ? step >= 0 : step <= 0) ++tally.holding;
    }
  }
  return tally;
}

/// The value of `query.along` at the largest or smallest sample, the first of equal ones.
double place_of_extreme(const DataFrame& frame, const std::vector<Sample>& samples, const Query& query) {
  const auto less = [](const Sample& a, const Sample& b) { return a.value < b.value; };
  const auto extreme = query.reduce == "argmax" ? std::max_element(samples.begin(), samples.end(), less)
                                                : std::min_element(samples.begin(), samples.end(), less);
  return column_of(frame, query.along, query).numbers.at(extreme->row);
}

double reduce(const DataFrame& frame, const std::vector<Sample>& samples, const Query& query) {
  if (query.reduce == "argmax" || query.reduce == "argmin") return place_of_extreme(frame, samples, query);
  std::vector<double> values(samples.size());
  std::transform(samples.begin(), samples.end(), values.begin(), [](const Sample& sample) { return sample.value; });
  std::sort(values.begin(), values.end());
  const double count = static_cast<double>(values.size());
  if (query.reduce == "min") return values.front();
  if (query.reduce == "max") return values.back();
  if (query.reduce == "median") return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
  if (query.reduce == "sum") return std::accumulate(values.begin(), values.end(), 0.0);
  if (query.reduce == "mean") return std::accumulate(values.begin(), values.end(), 0.0) / count;
  if (query.reduce == "geomean") {
    return std::exp(
        std::accumulate(values.begin(), values.end(), 0.0, [](double sum, double v) { return sum + std::log(v); }) /
        count);
  }
  if (query.reduce == "all" && values.front() == values.back()) return values.front();
  if (values.size() > 1) {
    throw InputError(query.where, fmt::format("{}: {} rows match, name a reduction (mean, max, ...) or select one row",
                                              query.id, values.size()));
  }
  return values.front();
}

/// How many SI units the published unit is; counts, ratios and words are 1.
double scale_of(const std::string& unit) {
  if (unit == "%") return 0.01;
  if (unit.empty() || unit == "x") return 1;
  if (unit == "KB") return 1000;  // as papers write kB
  if (unit.rfind("million ", 0) == 0) return 1e6;
  try {
    return parse_unit(unit).scale;
  } catch (const InputError&) {
    return 1;
  }
}

/// A value in the unit in which the paper prints it. "82 % speedup" is a ratio of 1.82, "26 % reduction" one of 0.74.
double in_published_unit(double value, const std::string& unit) {
  if (unit == "% speedup" || unit == "% slowdown") return 100 * (value - 1);
  if (unit == "% reduction") return 100 * (1 - value);
  return value / scale_of(unit);
}

/// Half a unit in the last printed digit: 6.94 -> 0.005, 17.6e12 -> 0.05e12.
double half_digit(const std::string& printed) {
  const std::size_t exponent = std::min(printed.find_first_of("eE"), printed.size());
  const std::size_t point = std::min(printed.find('.'), exponent);
  const std::size_t decimals = point == exponent ? 0 : exponent - point - 1;
  const double scale = exponent == printed.size() ? 0 : std::strtod(printed.c_str() + exponent + 1, nullptr);
  return 0.5 * std::pow(10.0, scale - static_cast<double>(decimals)) * (1 + 1e-9);
}

Verdict judge_number(const PublishedValue& published, double reproduced, std::optional<double>& deviation) {
  const double value = *number(published.value);
  const double high = number(published.value_hi).value_or(value);
  deviation = (reproduced - (reproduced > high ? high : value)) / (reproduced > high ? high : value);
  const bool inside = (published.kind == "range" && reproduced >= value && reproduced <= high) ||
                      (published.kind == "bound" && reproduced <= value) ||
                      (published.kind == "min" && reproduced >= value);
  if (inside) {
    deviation = 0;
    return Verdict::within;
  }
  if (published.kind == "range" || published.kind == "bound" || published.kind == "min") {
    return std::abs(*deviation) <= within_tolerance ? Verdict::within : Verdict::off;
  }
  const bool exact = std::abs(reproduced - value) <= half_digit(published.value);
  if (value == 0) {
    deviation.reset();  // nothing to be a share of
    return exact ? Verdict::exact : Verdict::off;
  }
  if (exact) return Verdict::exact;
  return std::abs(*deviation) <= within_tolerance ? Verdict::within : Verdict::off;
}

/// Answers one query on its frame.
void answer(const DataFrame& frame, const Query& query, Finding& finding) {
  const DataColumn& metric = column_of(frame, query.metric, query);
  if (metric.is_text()) {
    const std::vector<std::size_t> rows = select_rows(frame, query.select, query);
    std::map<std::string, std::size_t> texts;
    for (const std::size_t row : rows) ++texts[metric.texts[row]];
    const bool one = query.reduce == "all"    ? texts.size() == 1
                     : query.reduce == "most" ? !texts.empty()
                                              : rows.size() == 1;
    if (!one) {
      finding.note += fmt::format("{}{} rows with {} texts match, one is needed", finding.note.empty() ? "" : "; ",
                                  rows.size(), texts.size());
      return;
    }
    const auto most =
        std::max_element(texts.begin(), texts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    finding.reproduced = most->first;
    if (query.reduce == "most")
      finding.note += fmt::format("{}{} of {} rows", finding.note.empty() ? "" : "; ", most->second, rows.size());
    finding.verdict = finding.reproduced == finding.published.value ? Verdict::exact : Verdict::off;
    return;
  }
  const std::vector<Sample> samples = samples_of(frame, query);
  if (samples.empty()) {
    finding.note += fmt::format("{}no point with a result matches", finding.note.empty() ? "" : "; ");
    return;
  }
  if (!query.claim.empty()) {
    const Tally tally = query.along.empty() ? tally_pairs(samples) : tally_neighbours(frame, query, samples);
    if (tally.comparisons == 0) return;
    finding.reproduced = fmt::format("{:.3g}", tally.share());
    finding.verdict = tally.share() == 1 ? Verdict::exact : tally.share() >= mostly ? Verdict::within : Verdict::off;
    const std::string explained = fmt::format("share of {} comparisons in which the claim holds", tally.comparisons);
    finding.note = finding.note.empty() ? explained : explained + "; " + finding.note;
    return;
  }
  const double reproduced = in_published_unit(reduce(frame, samples, query), finding.published.unit);
  finding.reproduced = fmt::format("{:.4g}", reproduced);
  if (number(finding.published.value)) {
    finding.verdict = judge_number(finding.published, reproduced, finding.deviation);
  }
}

/// Reads the frames that queries need, each once.
class DataFrameCache {
 public:
  explicit DataFrameCache(const std::vector<std::string>& files) {
    for (const std::string& file : files) {
      for (const std::string& study : study_ids(file)) {
        files_.emplace(std::pair(stored_schema(file, study).name, study), file);
      }
    }
  }
  bool has(const Query& query) const { return files_.contains(std::pair(query.system, query.study)); }
  const DataFrame& get(const Query& query) {
    const auto key = std::tuple(query.system, query.study, query.table);
    const auto found = frames_.find(key);
    if (found != frames_.end()) return found->second;
    const std::string& file = files_.at(std::pair(query.system, query.study));
    return frames_
        .emplace(key, query.table.empty() ? read_study(file, query.study) : read_detail(file, query.study, query.table))
        .first->second;
  }

 private:
  /// By system and study.
  std::map<std::pair<std::string, std::string>, std::string> files_;
  /// By system, study and table.
  std::map<std::tuple<std::string, std::string, std::string>, DataFrame> frames_;
};

Finding find(const PublishedValue& published, const PublishedSet& set, DataFrameCache& frames) {
  Finding finding;
  finding.published = published;
  const auto query = set.queries.find(published.id);
  if (query == set.queries.end()) return finding;
  finding.role = query->second.study.empty() ? "" : query->second.role;
  finding.note = query->second.note;
  if (!query->second.study.empty() && frames.has(query->second)) {
    answer(frames.get(query->second), query->second, finding);
    if (finding.verdict != Verdict::open && query->second.role == "calibrated") finding.verdict = Verdict::calibrated;
  }
  if (!query->second.inconsistent.empty()) {
    finding.verdict = Verdict::inconsistent;
    finding.note = query->second.inconsistent + (finding.note.empty() ? "" : "; " + finding.note);
  }
  return finding;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::exact:
      return "exact";
    case Verdict::within:
      return "within";
    case Verdict::off:
      return "off";
    case Verdict::calibrated:
      return "calibrated";
    case Verdict::inconsistent:
      return "inconsistent";
    case Verdict::open:
      return "open";
  }
  return "unknown";
}

std::vector<Finding> make_report(const std::vector<std::string>& results_files,
                                 const std::vector<PublishedSet>& published) {
  DataFrameCache frames(results_files);
  std::vector<Finding> findings;
  for (const PublishedSet& set : published) {
    const bool covered = std::any_of(set.queries.begin(), set.queries.end(), [&](const auto& entry) {
      return !entry.second.study.empty() && frames.has(entry.second);
    });
    if (!covered) continue;
    for (const PublishedValue& value : set.values) findings.push_back(find(value, set, frames));
  }
  return findings;
}

std::string report_csv(const std::vector<Finding>& findings) {
  std::string text = csv_line({"id", "paper", "where", "published", "published_hi", "unit", "reproduced", "deviation",
                               "verdict", "role", "note"});
  for (const Finding& finding : findings) {
    const PublishedValue& published = finding.published;
    text +=
        csv_line({published.id, published.paper, published.where, published.value, published.value_hi, published.unit,
                  finding.reproduced, finding.deviation ? fmt::format("{:.4f}", *finding.deviation) : "",
                  std::string(name_of(finding.verdict)), finding.role, finding.note});
  }
  return text;
}

}  // namespace pimsweep
