#include "sweep/named_lists.h"

#include <fmt/format.h>

#include <string_view>

namespace pimsweep::sweep {

namespace {

constexpr char reference_mark = '@';

bool begins_with_mark(std::string_view text) { return text.starts_with(reference_mark); }

/// Name of the list that a node refers to; empty if it is not a reference.
std::string_view name_in(const toml::node& node) {
  const auto* text = node.as_string();
  if (text == nullptr || !begins_with_mark(text->get())) return {};
  return std::string_view(text->get()).substr(1);
}

/// Two marks at the beginning of a text escape one.
bool is_reference(const toml::node& node) {
  const auto* text = node.as_string();
  return text != nullptr && begins_with_mark(text->get()) && !begins_with_mark(name_in(node));
}

}  // namespace

void NamedLists::read(TomlReader& reader, const toml::table& lists) {
  for (const auto& [key, node] : in_file_order(lists)) {
    const std::string name(key->str());
    if (!is_list(*node)) {
      reader.problem(*node, fmt::format("'{}' in [lists]: expected a list, got {}", name, describe(*node)));
    } else if (const toml::array* array = node->as_array(); array != nullptr && array->empty()) {
      reader.problem(*node, fmt::format("the list '{}' is empty: add at least one value", name));
    }
    lists_[name] = values(reader, *node);
  }
}

bool NamedLists::is_list(const toml::node& node) { return node.is_array() || is_reference(node); }

void NamedLists::unescape(Value& value) {
  auto* text = std::get_if<std::string>(&value);
  if (text != nullptr && begins_with_mark(*text) && begins_with_mark(std::string_view(*text).substr(1)))
    text->erase(0, 1);
}

std::vector<const toml::node*> NamedLists::values(TomlReader& reader, const toml::node& list) const {
  std::vector<const toml::node*> values;
  const toml::array* array = list.as_array();
  if (array == nullptr) {
    append(reader, list, values);
  } else {
    for (const toml::node& value : *array) append(reader, value, values);
  }
  return values;
}

void NamedLists::append(TomlReader& reader, const toml::node& value, std::vector<const toml::node*>& values) const {
  if (!is_reference(value)) {
    values.push_back(&value);
    return;
  }
  const std::string_view name = name_in(value);
  if (const auto list = lists_.find(name); list != lists_.end()) {
    // Nested references could exhaust memory within a few lines.
    constexpr std::size_t max_values = 1'000'000;
    if (values.size() + list->second.size() > max_values) {
      reader.problem(value, fmt::format("'{}' makes the list longer than {} values", name, max_values));
      return;
    }
    values.insert(values.end(), list->second.begin(), list->second.end());
    return;
  }
  std::vector<std::string> names;
  for (const auto& [known, nodes] : lists_) names.push_back(known);
  reader.problem(value, fmt::format("unknown list '{}' in [lists]{}", name, suggestion(name, names)));
  values.push_back(nullptr);
}

}  // namespace pimsweep::sweep
