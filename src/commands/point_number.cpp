#include "commands/point_number.h"

#include <fmt/format.h>

#include "base/error.h"

namespace pimsweep::commands {

std::uint64_t point_number(std::int64_t given, std::uint64_t points, const std::string& owner) {
  if (points == 0) throw InputError(fmt::format("{} has no points", owner));
  const auto number = static_cast<std::uint64_t>(given);
  if (given >= 0 && number < points) return number;
  throw InputError(fmt::format("--point {}: the points of {} are numbered 0 to {}", given, owner, points - 1));
}

sweep::Plan::Location planned_point(std::int64_t given, const sweep::Plan& plan, const std::string& owner) {
  const sweep::Plan::Location location = plan.locate(point_number(given, plan.size(), owner));
  const sweep::Study& study = plan.studies[location.study];
  if (study.search() != nullptr) {
    throw InputError(
        fmt::format("--point {}: study '{}' is a search, whose points are known when it has run: give its results file",
                    given, study.id()));
  }
  return location;
}

}  // namespace pimsweep::commands
