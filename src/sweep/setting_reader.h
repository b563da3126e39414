#pragma once

#include <string_view>
#include <vector>

#include "base/toml.h"
#include "sweep/named_lists.h"
#include "sweep/study_blocks.h"

namespace pimsweep::sweep {

/// Hint for a table that was meant to set an axis.
inline constexpr std::string_view dotted_axis_hint =
    "an axis whose name has dots is written in quotes, as in \"hardware.node_array.rows\" = 8";

/// Reads the elements that all blocks of a study share: axes with their values, lists of names, conditions.
class SettingReader {
 public:
  SettingReader(TomlReader& toml, const NamedLists& lists) : toml_(toml), lists_(lists) {}

  TomlReader& toml() { return toml_; }
  /// One value; reports anything else and returns an empty entry.
  AxisEntry value(std::string_view axis, const toml::node& node);
  /// `key = value`.
  AxisSetting fixed(const toml::key& key, const toml::node& node);
  /// `key = [values]`; anything else makes the setting malformed.
  AxisSetting list(const toml::key& key, const toml::node& node);
  /// `key = [values]` or `key = value`, a list of one.
  AxisSetting list_or_value(const toml::key& key, const toml::node& node);
  /// `hardware = "file"` or a list of files.
  AxisSetting hardware(const toml::key& key, const toml::node& node);
  /// A list of distinct column names.
  std::vector<PlacedText> columns(const toml::key& key, const toml::node& node);
  /// A condition or a list of them; `key` is the name of the setting.
  std::vector<PlacedText> conditions(std::string_view key, const toml::node& node);

 private:
  AxisSetting named(const toml::key& key) const;
  void append_values(const toml::node& list, AxisSetting& setting);

  TomlReader& toml_;
  const NamedLists& lists_;
};

}  // namespace pimsweep::sweep
