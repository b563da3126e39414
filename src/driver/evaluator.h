#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/journal.h"
#include "sweep/plan.h"
#include "systems/system.h"

namespace pimsweep::driver {

/// The plan's systems, ready to evaluate its points. Whatever goes wrong inside a point becomes its record.
class Evaluator {
 public:
  /// `plan` must outlive the evaluator.
  explicit Evaluator(const sweep::Plan& plan);

  /// Evaluates a point of the plan; leaves the entry's seconds alone. An exception makes the record `failed` with the
  /// exception's text.
  void evaluate(std::uint64_t point, results::JournalEntry& entry);

  /// The content hash of a point.
  Hash128 identity(std::uint64_t point);

  /// Seconds that the point's system expects of it, if it has an opinion.
  std::optional<double> expected_seconds(std::uint64_t point);

  /// The schema of a point's system.
  const systems::Schema& schema_at(std::uint64_t point) const;

  /// The schema of a system that the plan uses, or null.
  const systems::Schema* schema_of(std::string_view system) const;

 private:
  struct Machine {
    explicit Machine(std::unique_ptr<systems::System> made) : system(std::move(made)), hasher(*system) {}
    std::unique_ptr<systems::System> system;
    systems::IdentityHasher hasher;
  };
  /// A study with its machine and a point of the machine's shape.
  struct Room {
    const sweep::Study* study;
    Machine* machine;
    systems::Point point;
    std::uint64_t begin;
    std::uint64_t end;
  };
  /// The room of a point of the plan, with the point filled in.
  Room& enter(std::uint64_t point);
  Room& room_of(std::uint64_t point);
  Hash128 identity_in(Room& room, std::uint64_t point);

  const sweep::Plan& plan_;
  std::map<std::string, std::unique_ptr<Machine>, std::less<>> machines_;
  std::vector<Room> rooms_;
  /// Points come in rising order mostly.
  std::size_t last_room_ = 0;
};

/// Evaluates one point. Whatever goes wrong makes the record `failed` and says so in its message.
void evaluate_point(systems::System& system, const systems::Point& point, systems::Record& record);

/// Why a record does not fit a schema, or empty if it does.
std::string shape_problem(const systems::Schema& schema, const systems::Record& record);

}  // namespace pimsweep::driver
