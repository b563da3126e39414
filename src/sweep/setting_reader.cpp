#include "sweep/setting_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace pimsweep::sweep {

AxisSetting SettingReader::named(const toml::key& key) const { return {std::string(key.str()), toml_.at(key), {}, {}}; }

AxisEntry SettingReader::value(std::string_view axis, const toml::node& node) {
  AxisEntry entry{NamedLists::is_list(node) ? std::nullopt : scalar_of(node), toml_.at(node)};
  if (!entry.value) {
    toml_.problem(node, fmt::format("axis '{}': expected numbers, text, true or false, got {}", axis, describe(node)));
  } else {
    NamedLists::unescape(*entry.value);
  }
  return entry;
}

void SettingReader::append_values(const toml::node& list, AxisSetting& setting) {
  if (const toml::array* array = list.as_array(); array != nullptr && array->empty()) {
    toml_.problem(list, fmt::format("axis '{}' has an empty list: add at least one value", setting.name));
  }
  for (const toml::node* node : lists_.values(toml_, list)) {
    setting.entries.push_back(node == nullptr ? AxisEntry{{}, toml_.at(list)} : value(setting.name, *node));
  }
}

AxisSetting SettingReader::fixed(const toml::key& key, const toml::node& node) {
  AxisSetting setting = named(key);
  if (NamedLists::is_list(node)) {
    setting.malformed = fmt::format("'{}' is a list: lists of values belong in [study.axes]", key.str());
  } else if (node.is_table()) {
    setting.malformed = fmt::format("'{}' is a table; {}", key.str(), dotted_axis_hint);
  } else {
    setting.entries.push_back(value(key.str(), node));
  }
  return setting;
}

AxisSetting SettingReader::list(const toml::key& key, const toml::node& node) {
  AxisSetting setting = named(key);
  if (NamedLists::is_list(node)) {
    append_values(node, setting);
  } else if (node.is_table()) {
    setting.malformed = fmt::format("'{}' is a table; {}", key.str(), dotted_axis_hint);
  } else {
    setting.malformed = fmt::format("'{}': expected a list in [[study.zip]], got {}", key.str(), describe(node));
  }
  return setting;
}

AxisSetting SettingReader::list_or_value(const toml::key& key, const toml::node& node) {
  return NamedLists::is_list(node) ? list(key, node) : fixed(key, node);
}

AxisSetting SettingReader::hardware(const toml::key& key, const toml::node& node) {
  AxisSetting setting = list_or_value(key, node);
  if (node.is_table()) {
    setting.malformed =
        fmt::format("'hardware': expected the name or path of a hardware file, got a table; {}", dotted_axis_hint);
  }
  return setting;
}

std::vector<PlacedText> SettingReader::columns(const toml::key& key, const toml::node& node) {
  std::vector<PlacedText> columns;
  if (!NamedLists::is_list(node)) {
    toml_.problem(node, fmt::format("'{}': expected a list of column names, got {}", key.str(), describe(node)));
    return columns;
  }
  for (const toml::node* name : lists_.values(toml_, node)) {
    std::optional<PlacedText> column = name == nullptr ? std::nullopt : toml_.text(key, *name);
    if (!column) continue;
    const auto same = [&](const PlacedText& other) { return other.text == column->text; };
    if (std::any_of(columns.begin(), columns.end(), same)) {
      toml_.problem(*name, fmt::format("column '{}' is named twice in '{}'", column->text, key.str()));
    } else {
      columns.push_back(std::move(*column));
    }
  }
  return columns;
}

std::vector<PlacedText> SettingReader::conditions(std::string_view key, const toml::node& node) {
  std::vector<PlacedText> conditions;
  if (const toml::array* list = node.as_array(); list != nullptr && list->empty()) {
    toml_.problem(node, fmt::format("'{}' has an empty list: add at least one condition", key));
  }
  for (const toml::node* element :
       NamedLists::is_list(node) ? lists_.values(toml_, node) : std::vector<const toml::node*>{&node}) {
    if (element == nullptr) continue;
    if (std::optional<PlacedText> text = toml_.placed_string(*element)) {
      conditions.push_back(std::move(*text));
    } else {
      toml_.problem(*element, fmt::format("'{}': expected a condition in quotes, as in \"batch <= 8\", got {}", key,
                                          describe(*element)));
    }
  }
  return conditions;
}

}  // namespace pimsweep::sweep
