#include "results/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace pimsweep::results {

namespace {

/// Compares runs of digits by their number.
bool natural_less(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const auto run = [&](std::string_view text) {
        return text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin()));
      };
      const std::string_view x = run(a);
      const std::string_view y = run(b);
      if (x != y) return std::tuple(x.size(), x) < std::tuple(y.size(), y);
      a.remove_prefix(x.size());
      b.remove_prefix(y.size());
      continue;
    }
    if (a.front() != b.front()) return a.front() < b.front();
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.size() < b.size();
}

/// Puts each interval, by its start, into the first place that is free.
void spread(const std::string& name, std::vector<Timeline::Interval> intervals, std::vector<Timeline::Lane>& lanes) {
  std::ranges::sort(intervals, [](const Timeline::Interval& a, const Timeline::Interval& b) {
    return std::tuple(a.start, a.end, a.row) < std::tuple(b.start, b.end, b.row);
  });
  const std::size_t first = lanes.size();
  for (const Timeline::Interval& interval : intervals) {
    std::size_t place = first;
    while (place < lanes.size() && lanes[place].intervals.back().end > interval.start) ++place;
    if (place == lanes.size()) {
      lanes.push_back({place == first ? name : fmt::format("{} ({})", name, place - first + 1), {}});
    }
    lanes[place].intervals.push_back(interval);
  }
}

/// The numbers of a text, separated by blanks.
std::vector<std::int64_t> numbers_in(std::string_view text) {
  std::vector<std::int64_t> numbers;
  while (!text.empty()) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc{}) numbers.push_back(number);
    text.remove_prefix(std::max<std::size_t>(1, static_cast<std::size_t>(end - text.data())));
  }
  return numbers;
}

}  // namespace

Timeline::Timeline(const systems::Table& table, std::span<const Value> cells)
    : table_(table), cells_(cells), columns_(systems::timeline_columns(table).value()) {
  struct Order {
    bool operator()(const std::string& a, const std::string& b) const { return natural_less(a, b); }
  };
  std::vector<std::map<std::string, std::vector<Interval>, Order>> lanes;
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t row = 0; row < rows(); ++row) {
    const std::string group = columns_.group ? std::get<std::string>(cell(row, *columns_.group)) : table_.name;
    const auto [found, is_new] = known.try_emplace(group, groups_.size());
    if (is_new) {
      groups_.push_back({group, {}});
      lanes.emplace_back();
    }
    lanes[found->second][lane_name(row)].push_back(
        {row, to_real(cell(row, columns_.start)), to_real(cell(row, columns_.end))});
  }
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    for (auto& [name, intervals] : lanes[i]) spread(name, std::move(intervals), groups_[i].lanes);
  }
}

std::string Timeline::lane_name(std::size_t row) const {
  const std::size_t column = columns_.lane ? *columns_.lane : columns_.group.value();
  const Value& value = cell(row, column);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return fmt::format("{} {}", table_.columns[column].name, to_text(value));
}

std::string Timeline::name(std::size_t row) const {
  std::string text;
  for (const std::size_t column : columns_.names) {
    if (!text.empty()) text += ' ';
    text += to_text(cell(row, column));
  }
  return text;
}

std::vector<CounterStep> counter(const Timeline& timeline, const Timeline::Group& group, std::size_t column,
                                 bool rate) {
  /// Amount that an interval adds at its start or removes at its end.
  struct Change {
    double time;
    double value;
    int running;
  };
  std::vector<Change> changes;
  for (const Timeline::Lane& lane : group.lanes) {
    for (const Timeline::Interval& interval : lane.intervals) {
      const double length = interval.end - interval.start;
      const double amount = to_real(timeline.cell(interval.row, column));
      if (length <= 0 || amount == 0) continue;
      const double value = amount / (rate ? length : 1);
      changes.push_back({interval.start, value, 1});
      changes.push_back({interval.end, -value, -1});
    }
  }
  std::ranges::stable_sort(changes, {}, &Change::time);
  std::vector<CounterStep> steps;
  double sum = 0;
  int running = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    running += changes[i].running;
    // Rounding errors of the sum end where nothing runs.
    sum = running == 0 ? 0 : std::max(0.0, sum + changes[i].value);
    const bool is_last_now = i + 1 == changes.size() || changes[i + 1].time != changes[i].time;
    if (is_last_now && (steps.empty() || steps.back().value != sum)) steps.push_back({changes[i].time, sum});
  }
  return steps;
}

std::vector<Dependency> dependencies(const Timeline& timeline) {
  const systems::TimelineColumns& columns = timeline.columns();
  if (!columns.task || !columns.after) return {};
  const auto start = [&](std::size_t row) { return to_real(timeline.cell(row, columns.start)); };
  const auto end = [&](std::size_t row) { return to_real(timeline.cell(row, columns.end)); };
  /// The rows of a task that begin first and end last.
  struct Ends {
    std::size_t first;
    std::size_t last;
  };
  std::unordered_map<std::int64_t, Ends> tasks;
  const auto task_of = [&](std::size_t row) { return std::get<std::int64_t>(timeline.cell(row, *columns.task)); };
  for (std::size_t row = 0; row < timeline.rows(); ++row) {
    Ends& ends = tasks.try_emplace(task_of(row), Ends{row, row}).first->second;
    if (start(row) < start(ends.first)) ends.first = row;
    if (end(row) > end(ends.last)) ends.last = row;
  }
  std::vector<Dependency> found;
  for (std::size_t row = 0; row < timeline.rows(); ++row) {
    if (tasks.at(task_of(row)).first != row) continue;
    for (const std::int64_t awaited : numbers_in(std::get<std::string>(timeline.cell(row, *columns.after)))) {
      const auto task = tasks.find(awaited);
      if (task != tasks.end()) found.push_back({task->second.last, row});
    }
  }
  return found;
}

}  // namespace pimsweep::results
