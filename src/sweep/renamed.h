#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pimsweep::sweep {

/// A name that an earlier version of pimsweep had for something that users write into files.
struct RenamedKey {
  enum class What { axis, metric };
  /// The system that has it; "*" stands for all.
  std::string_view system;
  std::string_view old_name;
  std::string_view new_name;
  What what = What::axis;
  /// The first version with the new name.
  std::string_view since = "0.2";
};

/// What to add to the message about a name that `system` does not know: "; 'preset' is called 'hardware' since version
/// 0.2" for an old name, else the nearest of `candidates`, if any is near.
std::string unknown_name_hint(std::string_view system, std::string_view name, std::span<const std::string> candidates,
                              RenamedKey::What what = RenamedKey::What::axis);

}  // namespace pimsweep::sweep
