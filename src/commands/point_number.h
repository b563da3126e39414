#pragma once

#include <cstdint>
#include <string>

namespace pimsweep::commands {

/// The number that --point gives, for `owner` with so many points. Throws InputError if there is no such point.
std::uint64_t point_number(std::int64_t given, std::uint64_t points, const std::string& owner);

}  // namespace pimsweep::commands
