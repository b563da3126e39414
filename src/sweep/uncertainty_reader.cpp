#include "sweep/uncertainty_reader.h"

namespace pimsweep::sweep {

namespace {

/// The word for all constants with a range.
constexpr std::string_view all_constants = "assumed";

void read_method(const toml::key& key, const toml::node& node, TomlReader& toml, UncertaintyBlock& block) {
  const std::vector<std::string> names = names_of(draw_method_words);
  if (const auto word = toml.word(key, node, "method of drawing", names))
    block.method = *value_of(draw_method_words, word->text);
}

void read_choices(const toml::key& key, const toml::node& node, SettingReader& settings, UncertaintyBlock& block) {
  const toml::table* table = settings.toml().table(key, node, "a table [study.uncertainty.choices]");
  if (table == nullptr) return;
  for (const auto& [axis, values] : in_file_order(*table)) block.choices.push_back(settings.list(*axis, *values));
}

}  // namespace

UncertaintyBlock read_uncertainty(const toml::key& key, const toml::node& node, SettingReader& settings) {
  TomlReader& toml = settings.toml();
  UncertaintyBlock block;
  block.where = toml.at(node);
  const auto read_constants = [&](const toml::key& name, const toml::node& value) {
    const auto* word = value.as_string();
    if (word == nullptr || word->get() != all_constants) block.constants = settings.columns(name, value);
  };
  if (const toml::table* table = toml.table(key, node, "a table [study.uncertainty]")) {
    toml.entries(
        *table, "[study.uncertainty]",
        {{"method", [&](const auto& name, const auto& value) { read_method(name, value, toml, block); }},
         {"samples",
          [&](const auto& name, const auto& value) { block.samples = toml.count(name, value, max_draws).value_or(0); }},
         {"seed", [&](const auto& name, const auto& value) { block.seed = toml.integer(name, value).value_or(0); }},
         {"constants", read_constants},
         {"choices", [&](const auto& name, const auto& value) { read_choices(name, value, settings, block); }}});
  }
  return block;
}

}  // namespace pimsweep::sweep
