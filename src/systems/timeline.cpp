#include "systems/timeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace pimsweep::systems {

namespace {

std::vector<std::size_t> with_role(const Table& table, TimelineRole role) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].timeline == role) found.push_back(i);
  }
  return found;
}

std::optional<std::size_t> one_with_role(const Table& table, TimelineRole role) {
  const std::vector<std::size_t> found = with_role(table, role);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

/// True if a column has the type and unit that its role needs.
bool suits(const Metric& column) {
  switch (column.timeline) {
    case TimelineRole::start:
    case TimelineRole::end:
      return column.type == ValueType::real && column.unit == "s";
    case TimelineRole::task:
      return column.type == ValueType::integer;
    case TimelineRole::group:
    case TimelineRole::after:
      return column.type == ValueType::text;
    case TimelineRole::moved:
    case TimelineRole::held:
      return column.type != ValueType::text;
    case TimelineRole::none:
    case TimelineRole::lane:
    case TimelineRole::name:
      break;
  }
  return true;
}

}  // namespace

std::vector<std::string> timeline_defects(const Table& table) {
  if (with_role(table, TimelineRole::none).size() == table.columns.size()) return {};
  std::vector<std::string> defects;
  const auto count = [&](TimelineRole role) { return with_role(table, role).size(); };
  for (const TimelineRole role : {TimelineRole::start, TimelineRole::end}) {
    if (count(role) != 1) defects.push_back(fmt::format("must have one {}", word_of(timeline_role_words, role)));
  }
  for (const TimelineRole role : {TimelineRole::group, TimelineRole::lane, TimelineRole::task, TimelineRole::after}) {
    if (count(role) > 1) defects.push_back(fmt::format("has more than one {}", word_of(timeline_role_words, role)));
  }
  if (count(TimelineRole::group) + count(TimelineRole::lane) == 0) defects.emplace_back("must have a group or a lane");
  if (count(TimelineRole::name) == 0) defects.emplace_back("must have a name");
  if (count(TimelineRole::after) > count(TimelineRole::task))
    defects.emplace_back("has a column of predecessors without a task");
  for (const Metric& column : table.columns) {
    if (!suits(column)) {
      defects.push_back(fmt::format("has a {} of the wrong type or unit: '{}'",
                                    word_of(timeline_role_words, column.timeline), column.name));
    }
  }
  return defects;
}

std::optional<TimelineColumns> timeline_columns(const Table& table) {
  const std::optional<std::size_t> start = one_with_role(table, TimelineRole::start);
  if (!start || !timeline_defects(table).empty()) return std::nullopt;
  return TimelineColumns{.start = *start,
                         .end = one_with_role(table, TimelineRole::end).value(),
                         .group = one_with_role(table, TimelineRole::group),
                         .lane = one_with_role(table, TimelineRole::lane),
                         .task = one_with_role(table, TimelineRole::task),
                         .after = one_with_role(table, TimelineRole::after),
                         .names = with_role(table, TimelineRole::name),
                         .moved = with_role(table, TimelineRole::moved),
                         .held = with_role(table, TimelineRole::held),
                         .others = with_role(table, TimelineRole::none)};
}

std::vector<std::string> awaited_tasks(std::vector<std::pair<std::uint32_t, std::uint32_t>> edges, std::size_t tasks,
                                       const std::function<bool(std::size_t task)>& has_interval) {
  std::ranges::sort(edges, {}, [](const auto& edge) { return std::pair(edge.second, edge.first); });
  std::vector<std::string> texts(tasks);
  std::vector<std::vector<std::uint32_t>> passed_on(tasks);
  std::vector<std::uint32_t> awaited;
  auto edge = edges.begin();
  for (std::size_t task = 0; task < tasks; ++task) {
    awaited.clear();
    for (; edge != edges.end() && edge->second == task; ++edge) {
      if (edge->first >= task) throw std::logic_error("a task waits for a later one");
      if (has_interval(edge->first)) {
        awaited.push_back(edge->first);
      } else {
        awaited.insert(awaited.end(), passed_on[edge->first].begin(), passed_on[edge->first].end());
      }
    }
    std::ranges::sort(awaited);
    awaited.erase(std::unique(awaited.begin(), awaited.end()), awaited.end());
    if (has_interval(task)) {
      texts[task] = fmt::format("{}", fmt::join(awaited, " "));
    } else {
      passed_on[task] = awaited;
    }
  }
  return texts;
}

bool has_timeline(const Schema& schema, const Record& record) {
  for (std::size_t i = 0; i < schema.tables.size(); ++i) {
    if (!record.tables[i].empty() && timeline_columns(schema.tables[i])) return true;
  }
  return false;
}

}  // namespace pimsweep::systems
