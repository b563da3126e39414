#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/renamed.h"

namespace pimsweep::systems {

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

/// By system: axes, metrics and columns of detail tables.
std::span<const RenamedKey> renamed_keys();
std::span<const RenamedValue> renamed_values();

/// pimsweep::unknown_name_hint() for an axis, a metric or a column of a system.
std::string unknown_name_hint(std::string_view system, std::string_view name, std::span<const std::string> candidates);

/// The same hint about a name that none of several systems knows.
std::string unknown_name_hint(std::span<const std::string> system_names, std::string_view name,
                              std::span<const std::string> candidates);

/// What to add to the message about a text that is none of the `choices` of a text axis.
std::string unknown_value_hint(std::string_view axis, std::string_view text, std::span<const std::string> choices);

}  // namespace pimsweep::systems
