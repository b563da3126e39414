#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pimsweep::systems {

/// What an earlier version of pimsweep called an axis, a metric or a column of a detail table.
struct RenamedKey {
  /// The system that has it.
  std::string_view system;
  std::string_view old_name;
  /// The new name, or a few words that say what took its place.
  std::string_view now;
  /// The first version without the old name.
  std::string_view since = "0.2";

  bool has_new_name() const { return now.find(' ') == std::string_view::npos; }
};

/// What an earlier version of pimsweep called a value of a text axis.
struct RenamedValue {
  std::string_view axis;
  std::string_view old_text;
  /// The new text, or a setting such as execution = "gpu" that took its place.
  std::string_view now;
  /// A value that the axis has: the new text if there is one. It tells axes of the same name in several systems apart.
  std::string_view beside;
  std::string_view since = "0.2";
};

std::span<const RenamedKey> renamed_keys();
std::span<const RenamedValue> renamed_values();

/// What to add to the message about a name that `system` does not know: "; 'preset' is called 'hardware' since version
/// 0.2" for an old name, else the nearest of `candidates`, if any is near.
std::string unknown_name_hint(std::string_view system, std::string_view name, std::span<const std::string> candidates);

/// The same hint about a name that none of several systems knows.
std::string unknown_name_hint(std::span<const std::string> system_names, std::string_view name,
                              std::span<const std::string> candidates);

/// What to add to the message about a text that is none of the `choices` of a text axis.
std::string unknown_value_hint(std::string_view axis, std::string_view text, std::span<const std::string> choices);

}  // namespace pimsweep::systems
