#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pimsweep {

/// What an earlier version of pimsweep called a key of an input file, a metric or a column of a detail table.
struct RenamedKey {
  /// The system or the family of files that has it.
  std::string_view owner;
  std::string_view old_name;
  /// The new name, or a few words that say what took its place.
  std::string_view now;
  /// The first version without the old name.
  std::string_view since = "0.2";

  bool has_new_name() const { return now.find(' ') == std::string_view::npos; }
};

/// What to add to the message about a name that `owner` does not know: "; 'preset' is called 'hardware' since version
/// 0.2" for an old name, else the nearest of `candidates`, if any is near.
std::string unknown_name_hint(std::span<const RenamedKey> renamed, std::string_view owner, std::string_view name,
                              std::span<const std::string> candidates);

}  // namespace pimsweep
