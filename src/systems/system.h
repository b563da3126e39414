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

/// Role of an axis outside of its system: in the identity of points, in checks of models, in messages. An axis of a
/// kind other than `setting` has the same name in all systems.
enum class AxisKind : std::uint8_t {
  setting,     ///< everything else
  model,       ///< network, by its name or by the path of a file
  image_size,  ///< side of the input images of the network
  tokens,      ///< length of the input sequences of the network
  execution,   ///< how the machine runs an operator or a network
  task,        ///< training or inference
  policy       ///< scheduling policy
};
inline constexpr Words<AxisKind, 6> axis_kind_names{{{"model", AxisKind::model},
                                                     {"image_px", AxisKind::image_size},
                                                     {"tokens", AxisKind::tokens},
                                                     {"execution", AxisKind::execution},
                                                     {"task", AxisKind::task},
                                                     {"policy", AxisKind::policy}}};

/// One parameter of a system. An axis whose name starts with "hardware." takes its value from the study's hardware file
/// unless the experiment overrides it; the experiment must set any other axis without a default.
struct Axis {
  std::string name;
  ValueType type = ValueType::real;
  /// SI unit of the stored value ("Hz", "B/s", "1"); only reals and integers have one other than "1".
  std::string unit = "1";
  std::optional<Value> default_value;
  std::optional<double> min;
  std::optional<double> max;
  /// Allowed values of a text axis; empty means any text. An axis of kind `model` also accepts paths of network files.
  std::vector<std::string> choices;
  std::string doc;
  AxisKind kind = AxisKind::setting;
};

/// Stands for a missing number of a point.
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// Range of the numbers of a metric or column. Infinity is never allowed.
enum class Range : std::uint8_t { non_negative, any };

/// Meaning of a detail table's column on a timeline, each row of which is an interval: `start` and `end` time; `group`,
/// a kind of unit; `lane`, one unit or shared resource of the group; `name`, in one column or several; `task`, a number
/// that is equal for all parts of one piece of work; `after`, the numbers of the tasks that it waits for, separated by
/// blanks; `moved`, an amount moved evenly over the interval; `held`, an amount occupied meanwhile.
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
  /// When or why a point with status ok has no value; empty if it always has one.
  std::string absent = {};
  /// Only for columns of detail tables.
  TimelineRole timeline = TimelineRole::none;
};

/// A tidy detail table: each row belongs to a point. Columns hold reals, integers or texts.
struct Table {
  std::string name;
  std::string doc;
  std::vector<Metric> columns;
};

/// Description of a system that needs no evaluation: the single source for validation, `pimsweep list`, HDF5 attributes
/// and the reference docs.
struct Schema {
  std::string name;
  std::string doc;
  /// Part of every point's identity: increase it when a change of the model changes results.
  int version = 1;
  std::vector<Axis> axes;
  std::vector<Metric> metrics;
  /// Names of the metrics by which designs are compared by default, all of them minimized, the most important first.
  std::vector<std::string> main_metrics;
  std::vector<Table> tables;

  /// Index into axes / metrics / tables, or -1.
  int axis_index(std::string_view name) const;
  /// Index of the first axis of a kind, or -1.
  int axis_index(AxisKind kind) const;
  int metric_index(std::string_view name) const;
  int table_index(std::string_view name) const;
};

/// A fully resolved design point: one value for each axis of the schema, in the schema's order. It points to values
/// that its plan owns, but holds numbers that the plan computes for this point alone, such as those of a sample.
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

  /// nullptr for computed values, so that a copied point uses its own.
  std::vector<const Value*> values_;
  std::vector<Value> computed_;
};

/// Outcome of a point. Results files store these numbers.
enum class Status : std::uint8_t { ok = 0, infeasible = 1, failed = 2, crashed = 3, not_run = 4 };
std::string_view name_of(Status status);

/// Clears a cell of a table: NaN, an empty text, or 0 in a column of integers.
void clear_cell(Value& cell, ValueType type);

/// Result of a point. Reused from point to point so that a sweep does not allocate.
struct Record {
  Status status = Status::not_run;
  /// Why the point is infeasible or failed; empty when ok.
  std::string message;
  /// One value for each metric of the schema, in its order; NaN or empty text if missing.
  std::vector<Value> metrics;
  /// The cells of each table of the schema, row by row.
  std::vector<std::vector<Value>> tables;

  /// Clears the record and gives it the shape of the schema: all metrics missing, all tables without rows.
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

/// A machine with its schedulers. evaluate() is a pure function of the point, although an instance may cache
/// invariants; an instance is used by one thread at a time.
///
/// The driver makes one instance per rank, fills a Record for each point and stores it:
///
///     auto system = make_system("hypar", configs);
///     Record record;
///     record.reset(system->schema());
///     system->evaluate(point, record);
///
/// docs/tutorials/system.md adds a system. Limits: a system sees one point at a time, never other points or the file
/// system while it evaluates, and its only source of randomness is a seed among its axes.
class System {
 public:
  virtual ~System() = default;
  virtual const Schema& schema() const = 0;
  /// Fills `record`, which has been reset to the schema. Sets status ok, or infeasible with the reason; throws
  /// PointError if the point is invalid.
  virtual void evaluate(const Point& point, Record& record) = 0;
  /// Hash of everything outside the axes that the result depends on, such as the definition of the model.
  virtual Hash128 workload_hash(const Point& /*point*/) { return {}; }
  /// Estimated evaluation time of a point in seconds, if known. Long points are started first, so that none remains at
  /// the end of a run.
  virtual std::optional<double> expected_seconds(const Point& /*point*/) { return std::nullopt; }
  /// Names of the axes that misfit() depends on; empty if it never finds a reason.
  virtual std::vector<std::string> fit_axes() const { return {}; }
  /// The reason why evaluate() fails for every point with these values of fit_axes() on any hardware: the model has an
  /// operator that the policy cannot run, or its input cannot have this size. Empty if the model fits. Much cheaper
  /// than evaluate(), whose PointError has the same text.
  std::optional<std::string> misfit(const Point& point);
  /// Adds every intermediate quantity of one point; by default, the metrics.
  virtual void explain(const Point& point, Explanation& explanation);

 protected:
  /// Throws the PointError of misfit(). It calls the functions that throw it in evaluate(), so that each rule exists
  /// once.
  virtual void require_fit(const Point& /*point*/) {}
};

/// Computes the identity of points of one system: the hash of the system's name and version, of every axis, sorted by
/// name, with its type and SI value, and of the workload. Caches the part that is equal for all points.
class IdentityHasher {
 public:
  explicit IdentityHasher(System& system);
  Hash128 operator()(const Point& point);

 private:
  System& system_;
  /// The axes sorted by name, and their types in that order.
  std::vector<std::size_t> order_;
  std::vector<ValueType> types_;
  std::string bytes_;
  /// Number of leading bytes_ that never change.
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
  /// nullptr if the system has no policies.
  std::vector<PolicyInfo> (*policies)() = nullptr;
};

/// All systems, registered by name in registry.cpp.
std::span<const SystemEntry> systems();

/// Makes the named system; throws InputError with the nearest name if it does not exist.
std::unique_ptr<System> make_system(std::string_view name, const ConfigFolders& configs);

}  // namespace pimsweep::systems
