#include "sweep/renamed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"

namespace pimsweep::sweep {

namespace {

/// Every name that was changed, one a line: system, old name, new name.
constexpr std::array renamed_keys{
    RenamedKey{"dram", "preset", "hardware"},
    RenamedKey{"newton", "preset", "hardware"},
};

}  // namespace

std::string unknown_name_hint(std::string_view system, std::string_view name, std::span<const std::string> candidates,
                              RenamedKey::What what) {
  const auto* key = std::find_if(renamed_keys.begin(), renamed_keys.end(), [&](const RenamedKey& renamed) {
    return renamed.what == what && renamed.old_name == name && (renamed.system == "*" || renamed.system == system);
  });
  if (key == renamed_keys.end()) return suggestion(name, candidates);
  return fmt::format("; '{}' is called '{}' since version {}", key->old_name, key->new_name, key->since);
}

}  // namespace pimsweep::sweep
