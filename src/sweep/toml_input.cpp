#include "sweep/toml_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace pimsweep::sweep {

namespace {

SourcePosition position_of(const toml::source_region& region, const std::string& file) {
  return {file, region.begin.line, region.begin.column};
}

}  // namespace

toml::table parse_toml(const std::string& text, const std::string& file) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw InputError(std::vector<Problem>{
        {position_of(error.source(), file), fmt::format("not valid TOML: {}", error.description())}});
  }
}

SourcePosition position_of(const toml::node& node, const std::string& file) { return position_of(node.source(), file); }

SourcePosition position_of(const toml::key& key, const std::string& file) { return position_of(key.source(), file); }

std::vector<std::pair<const toml::key*, const toml::node*>> in_file_order(const toml::table& table) {
  std::vector<std::pair<const toml::key*, const toml::node*>> entries;
  for (auto&& [key, node] : table) entries.emplace_back(&key, &node);
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    const toml::source_position& left = a.first->source().begin;
    const toml::source_position& right = b.first->source().begin;
    return std::tie(left.line, left.column) < std::tie(right.line, right.column);
  });
  return entries;
}

std::optional<Value> scalar_of(const toml::node& node) {
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* real = node.as_floating_point()) return real->get();
  if (const auto* boolean = node.as_boolean()) return boolean->get();
  if (const auto* text = node.as_string()) return text->get();
  return std::nullopt;
}

std::string describe(const toml::node& node) {
  if (const std::optional<Value> value = scalar_of(node)) {
    return type_of(*value) == ValueType::text ? fmt::format("the text '{}'", std::get<std::string>(*value))
                                              : fmt::format("the {} {}", name_of(type_of(*value)), to_text(*value));
  }
  if (node.is_array()) return "a list";
  if (node.is_table()) return "a table";
  return "a date or time";
}

}  // namespace pimsweep::sweep
