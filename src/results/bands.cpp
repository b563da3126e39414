#include "results/bands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/csv.h"
#include "base/quantity.h"
#include "results/answer.h"
#include "results/draws.h"
#include "results/machine_answers.h"
#include "results/statistics.h"
#include "results/study_frames.h"

namespace pimsweep::results {

namespace {

bool is_near(Verdict verdict) { return verdict == Verdict::exact || verdict == Verdict::within; }

/// What one drawn machine moves, and what it gave.
struct Drawn {
  const Move* move;
  MachineAnswer answer;
};

Band::Spread spread_of(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  return {numbers.front(), quantile(numbers, low_share), quantile(numbers, 0.5), quantile(numbers, high_share),
          numbers.back()};
}

std::string text_of(double si, const std::string& unit) {
  try {
    return format_quantity(si, unit, 3);
  } catch (const InputError&) {
    return fmt::format("{:.3g}", si);
  }
}

/// Our number along one constant, by its values.
using Curve = std::map<double, double>;

/// The first place at which a curve passes through `level`.
std::optional<double> crossing_of(const Curve& curve, double level) {
  for (auto next = curve.begin(); next != curve.end(); ++next) {
    if (next->second == level) return next->first;
    if (next == curve.begin()) continue;
    const auto [x0, y0] = *std::prev(next);
    const auto [x1, y1] = *next;
    if ((y0 < level) != (y1 < level)) return x0 + (level - y0) / (y1 - y0) * (x1 - x0);
  }
  return std::nullopt;
}

/// The constants that bring out the published number alone. Tied constants are named by the first of them.
std::vector<Crossing> find_crossings(const Finding& usual, const std::vector<Drawn>& draws) {
  std::vector<Crossing> crossings;
  if (is_near(usual.verdict)) return crossings;
  std::map<std::string, Curve> curves;
  std::map<std::string, std::string> units;
  const std::optional<double> published = number_in(usual.published.value);
  for (const Drawn& drawn : draws) {
    if (!drawn.move->first) continue;
    const MovedConstant& moved = *drawn.move->first;
    if (!moved.text.empty() || moved.is_choice) {
      const Crossing crossing{moved.axis, moved.text.empty() ? text_of(moved.value, moved.unit) : moved.text};
      if (is_near(drawn.answer.verdict) && std::ranges::find(crossings, crossing) == crossings.end())
        crossings.push_back(crossing);
      continue;
    }
    if (!drawn.answer.number || !usual.number) continue;
    units[moved.axis] = moved.unit;
    Curve& curve = curves[moved.axis];
    curve[moved.usual] = *usual.number;
    curve[moved.value] = *drawn.answer.number;
  }
  for (const auto& [axis, curve] : curves) {
    const std::optional<double> place = published ? crossing_of(curve, *published) : std::nullopt;
    if (place) crossings.push_back({axis, text_of(*place, units[axis])});
  }
  return crossings;
}

/// How machines of a study were drawn.
struct Manner {
  bool together = false;
  bool one_at_a_time = false;
};

Manner manner_of(const std::vector<Drawn>& draws) {
  std::set<std::string> first;
  std::size_t most = 0;
  for (const Drawn& drawn : draws) {
    most = std::max(most, drawn.move->constants);
    if (drawn.move->first) first.insert(drawn.move->first->axis);
  }
  // A constant that is the only one is drawn in both manners at once.
  if (most <= 1 && first.size() <= 1) return {true, true};
  const bool alone = most < first.size();
  return {!alone, alone};
}

/// Where a published value lies among the machines that were drawn together. Those that move one constant alone, if
/// there are others, count for the ends only.
void place_among(const std::vector<Drawn>& draws, const std::vector<Drawn>& alone, Band& band) {
  std::vector<double> numbers;
  std::size_t near = 0;
  for (const Drawn& drawn : draws) {
    if (drawn.answer.verdict == Verdict::open) continue;
    ++band.draws;
    if (is_near(drawn.answer.verdict)) ++near;
    if (drawn.answer.number) numbers.push_back(*drawn.answer.number);
  }
  if (band.draws == 0) return;
  band.near = static_cast<double>(near) / static_cast<double>(band.draws);
  band.covered = band.near >= low_share;
  band.reached = near > 0;
  if (!numbers.empty()) band.spread = spread_of(numbers);
  for (const Drawn& drawn : alone) {
    if (!drawn.answer.number || !band.spread) continue;
    band.spread->least = std::min(band.spread->least, *drawn.answer.number);
    band.spread->most = std::max(band.spread->most, *drawn.answer.number);
  }
  const std::optional<double> published = number_in(band.usual.published.value);
  if (!band.spread || !published || band.usual.published.kind != PublishedKind::value) return;
  const double half = rounding_of(band.usual.published.value);
  const auto holds = [&](double low, double high) { return *published + half >= low && *published - half <= high; };
  band.covered = holds(band.spread->low, band.spread->high);
  band.reached = holds(band.spread->least, band.spread->most);
}

void add_machines(const StudyFrames::Place& place, const std::vector<Drawn>& draws, Band& band) {
  for (std::size_t i = 0; i < draws.size(); ++i) {
    const MachineAnswer& answer = draws[i].answer;
    if (answer.verdict != Verdict::open)
      band.on_machines.push_back({place.file, place.study, i + 1, answer.number, is_near(answer.verdict)});
  }
}

/// Recomputes the published values of one paper on the machines of all files.
class BandMaker {
 public:
  BandMaker(const std::vector<std::string>& results_files, const PublishedSet& set)
      : set_(&set), frames_(results_files, {set}) {}

  /// Nothing where the study has no drawn machines.
  std::optional<Band> make(const PublishedValue& published, const Query& query) {
    std::vector<Drawn> together;
    std::vector<Drawn> alone;
    Band band;
    band.usual = recompute(published, query, frames_.usual(query));
    for (const MachineAnswers& file : answers(query)) {
      const std::vector<Drawn> draws = draws_of(file, published.id);
      add_machines(file.place, draws, band);
      const Manner manner = manner_of(draws);
      if (manner.together) together.insert(together.end(), draws.begin(), draws.end());
      if (manner.one_at_a_time) alone.insert(alone.end(), draws.begin(), draws.end());
    }
    if (together.empty() && alone.empty()) return std::nullopt;
    place_among(together.empty() ? alone : together, alone, band);
    band.crossings = find_crossings(band.usual, alone);
    band.reached = band.reached || !band.crossings.empty();
    return band;
  }

 private:
  static std::vector<Drawn> draws_of(const MachineAnswers& file, const std::string& id) {
    std::vector<Drawn> draws;
    const auto answers = file.answers.find(id);
    for (std::size_t i = 0; answers != file.answers.end() && i < answers->second.size(); ++i)
      draws.push_back({&file.moves[i], answers->second[i]});
    return draws;
  }

  /// From each file that has the study of a query.
  const std::vector<MachineAnswers>& answers(const Query& query) {
    const auto [known, is_new] = answers_.try_emplace(std::pair(query.system, query.study));
    if (is_new) {
      for (const StudyFrames::Place& place : frames_.places(query))
        known->second.push_back(answer_on_machines(place, query, *set_, frames_));
    }
    return known->second;
  }

  const PublishedSet* set_;
  StudyFrames frames_;
  /// By system and study.
  std::map<std::pair<std::string, std::string>, std::vector<MachineAnswers>> answers_;
};

}  // namespace

std::vector<Band> make_bands(const std::vector<std::string>& results_files,
                             const std::vector<PublishedSet>& published) {
  std::vector<Band> bands;
  for (const PublishedSet& set : published) {
    // The studies of one paper at a time are as much as memory should hold.
    BandMaker maker(results_files, set);
    for (const PublishedValue& value : set.values) {
      const auto query = set.queries.find(value.id);
      if (query == set.queries.end() || !query->second.inconsistent.empty()) continue;
      if (std::optional<Band> band = maker.make(value, query->second)) bands.push_back(std::move(*band));
    }
  }
  return bands;
}

std::string bands_csv(const std::vector<Band>& bands) {
  std::string text = csv_line({"id",   "paper",      "where",   "sign",    "published", "published_hi", "unit",
                               "role", "reproduced", "verdict", "draws",   "least",     "low",          "median",
                               "high", "most",       "near",    "covered", "reached",   "alone"});
  for (const Band& band : bands) {
    const PublishedValue& published = band.usual.published;
    const auto number = [&](double Band::Spread::*part) {
      return band.spread ? fmt::format("{:.4g}", (*band.spread).*part) : std::string();
    };
    std::vector<std::string> alone;
    for (const Crossing& crossing : band.crossings)
      alone.push_back(fmt::format("{} = {}", crossing.axis, crossing.value));
    text += csv_line({published.id,
                      published.paper,
                      published.where,
                      std::string(sign_of(published.kind)),
                      published.value,
                      published.value_hi,
                      published.unit,
                      band.usual.role,
                      band.usual.reproduced,
                      std::string(name_of(band.usual.verdict)),
                      std::to_string(band.draws),
                      number(&Band::Spread::least),
                      number(&Band::Spread::low),
                      number(&Band::Spread::median),
                      number(&Band::Spread::high),
                      number(&Band::Spread::most),
                      fmt::format("{:.3f}", band.near),
                      band.covered ? "yes" : "no",
                      band.reached ? "yes" : "no",
                      fmt::format("{}", fmt::join(alone, "; "))});
  }
  return text;
}

std::string machines_csv(const std::vector<Band>& bands) {
  std::string text =
      csv_line({"id", "paper", "where", "published", "unit", "role", "results", "study", "draw", "number", "near"});
  for (const Band& band : bands) {
    const PublishedValue& published = band.usual.published;
    for (const Band::OnMachine& one : band.on_machines) {
      text += csv_line({published.id, published.paper, published.where, published.value, published.unit,
                        band.usual.role, one.results_file, one.study, std::to_string(one.draw),
                        one.number ? fmt::format("{}", *one.number) : "", one.near ? "1" : "0"});
    }
  }
  return text;
}

std::vector<BandTally> tally_bands(const std::vector<Band>& bands) {
  std::vector<BandTally> tallies;
  std::map<std::string, std::vector<double>> widths;
  for (const Band& band : bands) {
    const PublishedValue& published = band.usual.published;
    if (band.draws == 0 || band.usual.role == word_of(role_words, CheckRole::calibrated) ||
        band.usual.role == word_of(role_words, CheckRole::definition))
      continue;
    if (tallies.empty() || tallies.back().paper != published.paper) tallies.emplace_back().paper = published.paper;
    BandTally& tally = tallies.back();
    ++tally.values;
    if (band.covered) ++tally.covered;
    if (band.reached) ++tally.reached;
    const std::optional<double> number = number_in(published.value);
    if (band.spread && number && *number != 0)
      widths[published.paper].push_back((band.spread->high - band.spread->low) / std::abs(*number));
  }
  for (BandTally& tally : tallies) {
    std::vector<double>& of_paper = widths[tally.paper];
    std::ranges::sort(of_paper);
    if (!of_paper.empty()) tally.width = quantile(of_paper, 0.5);
  }
  return tallies;
}

}  // namespace pimsweep::results
