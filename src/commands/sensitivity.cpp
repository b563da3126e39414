#include <fmt/format.h>

#include "commands/commands.h"
#include "commands/output.h"
#include "commands/text_table.h"
#include "results/point_cells.h"
#include "results/study_sensitivity.h"

namespace pimsweep::commands {

namespace {

std::string_view description_of(results::SensitivityMethod method) {
  switch (method) {
    case results::SensitivityMethod::factorial:
      return "full grid: exact analysis of variance";
    case results::SensitivityMethod::saltelli:
      return "Saltelli sample: first-order and total indices by its estimators, interactions from given data";
    case results::SensitivityMethod::given_data:
      break;
  }
  return "points as given: analysis of variance over values or bins, which assumes independent axes";
}

std::string percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

std::string interval(const results::sensitivity::Share& share, bool exact) {
  return exact ? "exact" : fmt::format("{:.2f} .. {:.2f} %", 100 * share.low, 100 * share.high);
}

void print(const results::StudySensitivity& found, const std::string& metric, const std::string& unit) {
  const bool exact = found.method == results::SensitivityMethod::factorial;
  fmt::print("study {}, {}: {} of {} points, mean {}, standard deviation {}\n{}\n", found.study, metric, found.used,
             found.points, results::readable(found.mean, unit), results::readable(found.standard_deviation, unit),
             description_of(found.method));
  TextTable axes({"axis", "levels", "first order", "95 % interval", "total", "95 % interval"});
  for (const results::StudySensitivity::OfAxis& axis : found.axes) {
    const std::string bins = axis.bins < axis.levels ? fmt::format(" in {} bins", axis.bins) : "";
    axes.add({axis.axis, std::to_string(axis.levels) + bins, percent(axis.first_order.value),
              interval(axis.first_order, exact), axis.total ? percent(axis.total->value) : "-",
              axis.total ? interval(*axis.total, exact) : "-"});
  }
  fmt::print("{}", axes.aligned());
  constexpr std::size_t max_pairs = 10;
  TextTable pairs({"axes", "", "interaction", "95 % interval"});
  for (const results::StudySensitivity::OfPair& pair : found.pairs) {
    if (pairs.size() < max_pairs)
      pairs.add({pair.a, pair.b, percent(pair.interaction.value), interval(pair.interaction, exact)});
  }
  if (pairs.size() > 0) fmt::print("{}", pairs.aligned());
}

void add_rows(const results::StudySensitivity& found, TextTable& table) {
  const auto add = [&](const char* index, const std::string& axis, const std::string& other,
                       const results::sensitivity::Share& share) {
    table.add({found.study, index, axis, other, fmt::format("{}", share.value), fmt::format("{}", share.low),
               fmt::format("{}", share.high)});
  };
  for (const results::StudySensitivity::OfAxis& axis : found.axes) {
    add("first order", axis.axis, "", axis.first_order);
    if (axis.total) add("total", axis.axis, "", *axis.total);
  }
  for (const results::StudySensitivity::OfPair& pair : found.pairs)
    add("interaction", pair.a, pair.b, pair.interaction);
}

}  // namespace

int sensitivity(const std::string& results, const std::string& metric, const std::string& study,
                const OutputForm& form) {
  TextTable table({"study", "index", "axis", "other", "share", "low", "high"});
  for (const std::string& id : results::chosen_studies(results, study)) {
    const results::StudySensitivity found = results::find_sensitivity(results, id, metric);
    if (form.has_text()) print(found, metric, results::PointCells(results, id, {metric}).unit(0));
    add_rows(found, table);
  }
  write_table(table, form, {"share", "low", "high"});
  return 0;
}

}  // namespace pimsweep::commands
