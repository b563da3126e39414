#include "driver/search_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/stored_search.h"

namespace pimsweep::driver {

std::vector<results::ColumnInfo> search_columns(const sweep::SearchSettings& search) {
  const std::string source =
      fmt::format("search ({}, seed {})", word_of(sweep::search_algorithm_words, search.algorithm), search.seed);
  const auto column = [&](std::string name, std::string doc, ValueType type) {
    return results::ColumnInfo{std::move(name), "1", std::move(doc), source, results::ColumnRole::search, type};
  };
  return {column("generation", "generation of the search, counted from 1; the recheck is the last", ValueType::integer),
          column("feasible", "whether the point has a result that meets all constraints", ValueType::boolean),
          column("front", "whether no feasible point of the search is better in all objectives", ValueType::boolean)};
}

std::vector<std::pair<std::string, std::string>> search_attributes(const sweep::SearchSettings& search) {
  std::vector<std::string> min;
  std::vector<std::string> max;
  for (const sweep::SearchObjective& objective : search.objectives)
    (objective.maximize ? max : min).push_back(objective.name);
  std::vector<std::string> constraints;
  for (const PlacedText& constraint : search.constraints) constraints.push_back(constraint.text);
  return {{results::search_min_attribute, fmt::format("{}", fmt::join(min, " "))},
          {results::search_max_attribute, fmt::format("{}", fmt::join(max, " "))},
          {results::search_recheck_attribute, fmt::format("{}", fmt::join(search.recheck, " "))},
          {results::search_constraints_attribute, fmt::format("{}", fmt::join(constraints, "\n"))}};
}

void SearchCells::append(const SearchLog::Row& row, std::vector<const Value*>& cells) {
  generation_ = std::int64_t{row.generation};
  is_feasible_ = row.is_feasible;
  is_in_front_ = row.is_in_front;
  cells.insert(cells.end(), {&generation_, &is_feasible_, &is_in_front_});
}

systems::Table generation_table() {
  const auto count = [](std::string name, std::string doc) {
    return systems::Metric{.name = std::move(name), .doc = std::move(doc), .type = ValueType::integer};
  };
  return {"generations",
          "what the search had found at the end of each generation",
          {count("generation", "generation of the search, counted from 1"),
           count("points", "points chosen up to the end of the generation"),
           count("infeasible", "points without a result that meets all constraints, up to the end of the generation"),
           count("front", "points in the front at the end of the generation"),
           {.name = "hypervolume",
            .doc = "share of the box between best and worst feasible values that the front dominates",
            .absent = "fewer than two different feasible points, or more than three objectives"}}};
}

results::FilledTable filled_generations(const SearchLog& log) {
  results::FilledTable filled{generation_table(), {}};
  std::int64_t number = 0;
  for (const SearchLog::Generation& generation : log.generations) {
    filled.rows.push_back(
        {generation.points - 1,
         {++number, static_cast<std::int64_t>(generation.points), static_cast<std::int64_t>(generation.infeasible),
          static_cast<std::int64_t>(generation.front), generation.hypervolume}});
  }
  return filled;
}

}  // namespace pimsweep::driver
