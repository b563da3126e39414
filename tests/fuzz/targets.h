#pragma once

#include <span>
#include <string_view>

/// Readers of foreign input, for fuzzing. Each takes any bytes and returns; an error that says what is wrong with them
/// (InputError, PointError) is caught, and whatever else goes wrong ends the process.
namespace pimsweep::fuzz {

struct Target {
  std::string_view name;
  void (*read)(std::string_view input);
};

/// The readers of this program. Each has its seeds in corpus/<name>.
std::span<const Target> targets();

}  // namespace pimsweep::fuzz
