#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "results/journal.h"
#include "sweep/plan.h"
#include "systems/system.h"

namespace pimsweep {

/// The plan's systems, ready to evaluate its points. Whatever goes wrong inside a point becomes its record.
class Evaluator {
 public:
  /// `plan` must outlive the evaluator.
  explicit Evaluator(const Plan& plan);

  /// Evaluates a point of the plan. An exception makes the record `failed` with the exception's text.
  void evaluate(std::uint64_t index, JournalEntry& entry);

  /// The content hash of a point of one study.
  Hash128 identity(std::size_t study, std::uint64_t index);

  /// The schema of a system that the plan uses, or null.
  const Schema* schema_of(std::string_view system) const;

 private:
  struct Machine {
    explicit Machine(std::unique_ptr<System> made) : system(std::move(made)), hasher(*system) {}
    std::unique_ptr<System> system;
    IdentityHasher hasher;
  };
  Hash128 identity_of(std::size_t study, std::uint64_t index);

  const Plan& plan_;
  std::map<std::string, std::unique_ptr<Machine>, std::less<>> machines_;
  /// For each study its machine and a point of the machine's shape.
  std::vector<Machine*> machine_of_;
  std::vector<Point> points_;
};

/// Evaluates one point. Whatever goes wrong makes the record `failed` and says so in its message.
void evaluate_point(System& system, const Point& point, Record& record);

/// Why a record does not fit a schema, or empty if it does.
std::string shape_problem(const Schema& schema, const Record& record);

}  // namespace pimsweep
