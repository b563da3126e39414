#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems {

/// The axis by which a system that has it fills its timelines, which are long.
inline constexpr std::string_view record_timeline_axis = "record_timeline";

/// The columns of a timeline by role; a timeline is a detail table that has a start. `others` have no role.
struct TimelineColumns {
  std::size_t start = 0;
  std::size_t end = 0;
  std::optional<std::size_t> group;
  std::optional<std::size_t> lane;
  std::optional<std::size_t> task;
  std::optional<std::size_t> after;
  std::vector<std::size_t> names;
  std::vector<std::size_t> moved;
  std::vector<std::size_t> held;
  std::vector<std::size_t> others;
};

/// Empty if the table is no timeline, or a defective one.
std::optional<TimelineColumns> timeline_columns(const Table& table);

/// What a timeline lacks or has of the wrong type, as phrases; empty for a sound one and for other tables.
std::vector<std::string> timeline_defects(const Table& table);

/// What each of some tasks waits for, as texts of a column `after`. `edges` lead from a task to one with a larger
/// number that waits for it; a task without an interval passes on what it waits for itself.
std::vector<std::string> awaited_tasks(std::vector<std::pair<std::uint32_t, std::uint32_t>> edges, std::size_t tasks,
                                       const std::function<bool(std::size_t task)>& has_interval);

/// Whether the record has a row in a table that is a timeline.
bool has_timeline(const Schema& schema, const Record& record);

}  // namespace pimsweep::systems
