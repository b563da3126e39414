#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/config_folders.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/value.h"
#include "base/words.h"

namespace pimsweep::systems {

/// One parameter of a system. An axis whose name starts with "hardware." takes its value from the study's hardware file
/// unless the experiment overrides it; any other axis without a default must be given by the experiment.
struct Axis {
  std::string name;
  ValueType type = ValueType::real;
  /// SI unit of the stored value ("Hz", "B/s", "1"); only reals and integers have one other than "1".
  std::string unit = "1";
  std::optional<Value> default_value;
  std::optional<double> min;
  std::optional<double> max;
  /// For text: the allowed values. Empty means any text. An axis named "model" lists the model files found.
  std::vector<std::string> choices;
  std::string doc;
};

/// In place of a number that a point does not have.
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// The numbers that a metric or column may hold. Infinity is never among them.
enum class Range : std::uint8_t { non_negative, any };

/// What a column of a detail table means on a timeline, each row of which is an interval: when (start, end), where
/// (group: a kind of unit; lane: one unit or shared resource of the group), what (name, of one column or several),
/// which piece of work (task: a number, the same for parts of one piece), which pieces it waits for (after: their
/// numbers, separated by blanks), what it moves evenly over the interval (moved), and what it occupies meanwhile
/// (held).
enum class TimelineRole : std::uint8_t { none, start, end, group, lane, name, task, after, moved, held };
inline constexpr Words<TimelineRole, 10> timeline_role_words{{{"", TimelineRole::none},
                                                              {"start", TimelineRole::start},
                                                              {"end", TimelineRole::end},
                                                              {"group", TimelineRole::group},
                                                              {"lane", TimelineRole::lane},
                                                              {"name", TimelineRole::name},
                                                              {"task", TimelineRole::task},
                                                              {"after", TimelineRole::after},
                                                              {"moved", TimelineRole::moved},
                                                              {"held", TimelineRole::held}}};

/// One result of a point: a real number (NaN when the point gave none) or a text.
struct Metric {
  std::string name;
  std::string unit = "1";
  std::string doc;
  ValueType type = ValueType::real;
  Range range = Range::non_negative;
  /// When or why a point with status ok has no value; empty: it always has one.
  std::string absent = {};
  /// Of a column of a detail table.
  TimelineRole timeline = TimelineRole::none;
};

/// A tidy detail table: each row belongs to a point. Columns hold reals, integers or texts.
struct Table {
  std::string name;
  std::string doc;
  std::vector<Metric> columns;
};

/// Everything that is known about a system without evaluating it: the single source for validation, `pimsweep list`,
/// HDF5 attributes and the reference docs.
struct Schema {
  std::string name;
  std::string doc;
  /// Part of every point's content hash: raise it when a change of the model changes results.
  int version = 1;
  std::vector<Axis> axes;
  std::vector<Metric> metrics;
  /// What designs are compared by unless a user asks for something else: names of metrics to minimize, the one that
  /// ranks them first.
  std::vector<std::string> main_metrics;
  std::vector<Table> tables;

  /// Index into axes / metrics / tables, or -1.
  int axis_index(std::string_view name) const;
  int metric_index(std::string_view name) const;
  int table_index(std::string_view name) const;
};

/// A fully resolved design point: one value for each axis of the schema, in the schema's order. It points to values
/// that its plan owns; numbers that the plan computes for this point alone, as those of a sample, it holds itself.
class Point {
 public:
  explicit Point(std::size_t axes) : values_(axes, nullptr), computed_(axes) {}
  std::size_t size() const { return values_.size(); }
  void set(std::size_t axis, const Value* value) { values_[axis] = value; }
  void set_computed(std::size_t axis, std::int64_t number) { compute(axis, number); }
  void set_computed(std::size_t axis, double number) { compute(axis, number); }
  const Value& operator[](std::size_t axis) const {
    return values_[axis] == nullptr ? computed_[axis] : *values_[axis];
  }
  double real(std::size_t axis) const { return to_real((*this)[axis]); }
  std::int64_t integer(std::size_t axis) const { return std::get<std::int64_t>((*this)[axis]); }
  bool boolean(std::size_t axis) const { return std::get<bool>((*this)[axis]); }
  const std::string& text(std::size_t axis) const { return std::get<std::string>((*this)[axis]); }

 private:
  template <typename Number>
  void compute(std::size_t axis, Number number) {
    values_[axis] = nullptr;
    computed_[axis] = number;
  }

  /// Null where the value is a computed one: a copied point then has its own.
  std::vector<const Value*> values_;
  std::vector<Value> computed_;
};

/// What became of a point. The numbers are those of the results file.
enum class Status : std::uint8_t { ok = 0, infeasible = 1, failed = 2, crashed = 3, not_run = 4 };
std::string_view name_of(Status status);

/// Makes a cell of a table empty: NaN, an empty text, or 0 in a column of integers.
void clear_cell(Value& cell, ValueType type);

/// What a point gave. Reused from point to point so that a sweep does not allocate.
struct Record {
  Status status = Status::not_run;
  /// Why the point is infeasible or failed; empty when ok.
  std::string message;
  /// One for each metric of the schema, in its order: NaN or empty text where the point gave none.
  std::vector<Value> metrics;
  /// One for each table of the schema: the rows' cells one after another.
  std::vector<std::vector<Value>> tables;

  /// Empties the record and gives it the schema's shape: all metrics missing, all tables without rows.
  void reset(const Schema& schema);
};

/// A list of named intermediate quantities, for `pimsweep explain`.
struct Explanation {
  struct Line {
    std::string name;
    std::string value;
    std::string note;
  };
  struct Section {
    std::string title;
    std::vector<Line> lines;
  };
  std::vector<Section> sections;

  Section& section(std::string title) { return sections.emplace_back(Section{std::move(title), {}}); }
};

/// A machine with its schedulers. Stateless to the outside: evaluate() is a pure function of the point, though an
/// instance may cache invariants; an instance is used by one thread at a time.
class System {
 public:
  virtual ~System() = default;
  virtual const Schema& schema() const = 0;
  /// Fills `record` (already reset to the schema). Sets status ok, or infeasible with the reason; throws PointError
  /// when the point has no meaning.
  virtual void evaluate(const Point& point, Record& record) = 0;
  /// Content of everything outside the axes that the result depends on, such as the model's definition.
  virtual Hash128 workload_hash(const Point& /*point*/) { return {}; }
  /// Seconds that the evaluation of a point is likely to take, if the system can tell: long points are begun first, so
  /// that none is left over at the end.
  virtual std::optional<double> expected_seconds(const Point& /*point*/) { return std::nullopt; }
  /// Axes that decide alone whether misfit() finds a reason; empty for a system that never does.
  virtual std::vector<std::string> fit_axes() const { return {}; }
  /// Why evaluate() fails for every point with these values of fit_axes(), whatever the hardware: the model has an
  /// operator that the policy cannot run, or its input cannot have this size. Empty if the model fits. Much cheaper
  /// than evaluate(), whose PointError has the same text.
  std::optional<std::string> misfit(const Point& point);
  /// Every intermediate quantity of one point; the metrics where a system has no more to tell.
  virtual void explain(const Point& point, Explanation& explanation);

 protected:
  /// Throws the PointError of misfit(). Calls the functions by which evaluate() comes to it, so that no rule is there
  /// twice.
  virtual void require_fit(const Point& /*point*/) {}
};

/// Gives points of one system their identity: the content hash of system name and version, every axis by sorted name
/// with its type and SI value, and the workload. Keeps what does not change from point to point.
class IdentityHasher {
 public:
  explicit IdentityHasher(System& system);
  Hash128 operator()(const Point& point);

 private:
  System& system_;
  /// The axes by name, and their types in that order.
  std::vector<std::size_t> order_;
  std::vector<ValueType> types_;
  std::string bytes_;
  /// Those at the front of bytes_ that never change.
  std::size_t shape_bytes_ = 0;
};

/// The identity of one point.
Hash128 identity(System& system, const Point& point);

/// Name, doc and description of a scheduling policy, for `pimsweep list policies`.
struct PolicyInfo {
  std::string name;
  std::string doc;
};

/// One line of the registry of systems.
struct SystemEntry {
  std::string name;
  std::unique_ptr<System> (*make)(const ConfigFolders& configs);
  /// Null if nothing is chosen by policies.
  std::vector<PolicyInfo> (*policies)() = nullptr;
};

/// All systems, registered by name in registry.cpp.
std::span<const SystemEntry> systems();

/// Makes the named system; throws InputError with the nearest name if there is none.
std::unique_ptr<System> make_system(std::string_view name, const ConfigFolders& configs);

}  // namespace pimsweep::systems
