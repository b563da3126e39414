#include "sweep/search_reader.h"

#include "sweep/sample_reader.h"

namespace pimsweep::sweep {

namespace {

void read_algorithm(const toml::key& key, const toml::node& node, TomlReader& toml, SearchBlock& search) {
  const std::vector<std::string> names = names_of(search_algorithm_words);
  if (const auto word = toml.word(key, node, "search algorithm", names))
    search.algorithm = *value_of(search_algorithm_words, word->text);
}

void read_recheck(const toml::key& key, const toml::node& node, SettingReader& settings, SearchBlock& search) {
  const toml::table* table = settings.toml().table(key, node, "a table [study.search.recheck]");
  if (table == nullptr) return;
  for (const auto& [axis, value] : in_file_order(*table)) search.recheck.push_back(settings.fixed(*axis, *value));
  if (search.recheck.empty()) settings.toml().problem(node, "[study.search.recheck] has no axes");
}

void check_budget(const toml::table& table, TomlReader& toml) {
  const bool has_points = table.contains("points");
  const bool has_generations = table.contains("generations");
  if (!has_points && !has_generations)
    toml.problem(table, "[study.search] needs 'points' or 'generations': when the search ends");
  if (has_points && has_generations)
    toml.problem(*table.get("generations"), "[study.search] has either 'points' or 'generations'");
}

}  // namespace

SearchBlock read_search(const toml::key& key, const toml::node& node, SettingReader& settings) {
  TomlReader& toml = settings.toml();
  SearchBlock search;
  search.where = toml.at(node);
  const toml::table* table = toml.table(key, node, "a table [study.search]");
  if (table == nullptr) return search;
  const auto count = [&](std::optional<std::uint64_t>& number) {
    return [&](const toml::key& name, const toml::node& value) { number = toml.count(name, value, max_search_points); };
  };
  toml.entries(
      *table, "[study.search]",
      {{"min", [&](const auto& name, const auto& value) { search.min = settings.columns(name, value); }},
       {"max", [&](const auto& name, const auto& value) { search.max = settings.columns(name, value); }},
       {"constraints",
        [&](const auto& name, const auto& value) { search.constraints = settings.conditions(name.str(), value); }},
       {"algorithm", [&](const auto& name, const auto& value) { read_algorithm(name, value, toml, search); }},
       {"population", count(search.population)},
       {"generations", count(search.generations)},
       {"points", count(search.points)},
       {"seed", [&](const auto& name, const auto& value) { search.seed = toml.integer(name, value).value_or(0); }},
       {"ranges",
        [&](const auto& name, const auto& value) {
          search.ranges = read_ranges(name, value, settings, "[study.search.ranges]");
        }},
       {"recheck", [&](const auto& name, const auto& value) { read_recheck(name, value, settings, search); }}});
  if (!table->contains("min") && !table->contains("max"))
    toml.problem(*table, "[study.search] needs 'min' or 'max': the metrics to optimize, as in min = [\"time\"]");
  check_budget(*table, toml);
  return search;
}

}  // namespace pimsweep::sweep
