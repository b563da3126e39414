#pragma once

#include <span>
#include <string_view>

namespace pimsweep::fuzz {

struct Target {
  std::string_view name;
  void (*read)(std::string_view input);
};

/// The readers of this program. Each has its seeds in corpus/<name>.
std::span<const Target> targets();

}  // namespace pimsweep::fuzz
