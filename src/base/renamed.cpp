#include "base/renamed.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace pimsweep {

std::string unknown_name_hint(std::span<const RenamedKey> renamed, std::string_view owner, std::string_view name,
                              std::span<const std::string> candidates) {
  const auto key = std::ranges::find_if(
      renamed, [&](const RenamedKey& known) { return known.old_name == name && known.owner == owner; });
  if (key == renamed.end()) return suggestion(name, candidates);
  return key->has_new_name()
             ? fmt::format("; '{}' is called '{}' since version {}", key->old_name, key->now, key->since)
             : fmt::format("; '{}' is {} since version {}", key->old_name, key->now, key->since);
}

}  // namespace pimsweep
