#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "systems/timeline.h"

namespace pimsweep::results {

/// The rows of a table that is a timeline, as units at work over time. It refers to table and cells.
class Timeline {
 public:
  struct Interval {
    std::size_t row = 0;
    double start = 0;
    double end = 0;
  };
  /// One unit, or one place of a shared resource: intervals by their start, none of which overlaps another.
  struct Lane {
    std::string name;
    std::vector<Interval> intervals;
  };
  /// Units of a kind, in the natural order of their names.
  struct Group {
    std::string name;
    std::vector<Lane> lanes;
  };

  /// The table must have timeline_columns(). Intervals of a lane that overlap are spread over as many lanes as are
  /// needed, named "NAME", "NAME (2)", ... Without a column for groups, the only group has the table's name.
  Timeline(const systems::Table& table, std::span<const Value> cells);

  const systems::Table& table() const { return table_; }
  const systems::TimelineColumns& columns() const { return columns_; }
  const std::vector<Group>& groups() const { return groups_; }
  std::size_t rows() const { return cells_.size() / table_.columns.size(); }
  const Value& cell(std::size_t row, std::size_t column) const { return cells_[row * table_.columns.size() + column]; }
  /// Content of a row.
  std::string name(std::size_t row) const;

 private:
  std::string lane_name(std::size_t row) const;

  const systems::Table& table_;
  std::span<const Value> cells_;
  systems::TimelineColumns columns_;
  std::vector<Group> groups_;
};

/// A step of a counter: its value from a time on.
struct CounterStep {
  double time = 0;
  double value = 0;
};

/// Amount of a column that the intervals of a group hold at each time or, for `rate`, move in each second. Begins with
/// the first interval and ends with 0.
std::vector<CounterStep> counter(const Timeline& timeline, const Timeline::Group& group, std::size_t column, bool rate);

/// A dependency between intervals, given by their rows.
struct Dependency {
  std::size_t from = 0;
  std::size_t to = 0;
};

/// From the last interval of each awaited task to the first one of the task that waits. Tasks without an interval are
/// left out.
std::vector<Dependency> dependencies(const Timeline& timeline);

}  // namespace pimsweep::results
