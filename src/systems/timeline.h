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

/// Name of the axis that enables the detail tables of timelines, which are long.
inline constexpr std::string_view record_timeline_axis = "record_timeline";

/// The columns of a timeline by role. A timeline is a detail table with a column `start`; `others` have no role.
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

/// Empty if the table is not a timeline or has defects.
std::optional<TimelineColumns> timeline_columns(const Table& table);

/// Missing columns and columns of the wrong type, as phrases; empty for correct timelines and for other tables.
std::vector<std::string> timeline_defects(const Table& table);

/// The predecessors of each task, as texts of a column `after`. `edges` lead from a task to a task with a larger number
/// that waits for it; a task without an interval is replaced by its own predecessors.
std::vector<std::string> awaited_tasks(std::vector<std::pair<std::uint32_t, std::uint32_t>> edges, std::size_t tasks,
                                       const std::function<bool(std::size_t task)>& has_interval);

/// True if the record has a row in a timeline.
bool has_timeline(const Schema& schema, const Record& record);

}  // namespace pimsweep::systems
