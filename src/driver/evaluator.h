#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "journal/journal.h"
#include "sweep/plan.h"
#include "systems/system.h"

namespace pimsweep::driver {

/// Evaluates the points of a plan. Errors inside a point are stored in its record, not thrown.
class Evaluator {
 public:
  /// `plan` must outlive the evaluator.
  explicit Evaluator(const sweep::Plan& plan);

  /// Evaluates a point of the plan and fills in the entry, except for its seconds. An exception gives the record the
  /// status `failed` and the exception's text as its message.
  void evaluate(std::uint64_t point, journal::Entry& entry);

  /// Appends what a search looks at in a result, if the point is one of a search (driver/observation.h).
  void observe(const journal::Entry& entry, std::string& bytes);

  /// Content hash of a point.
  Hash128 identity(std::uint64_t point);
  /// The same for a caller that has the values of the point's axes.
  Hash128 identity(std::uint64_t point, const systems::Point& values);

  /// Evaluation time in seconds that the point's system predicts, if it can.
  std::optional<double> expected_seconds(std::uint64_t point);

  /// Schema of a point's system.
  const systems::Schema& schema_at(std::uint64_t point) const;

  /// Schema of a system that the plan uses, or nullptr for any other.
  const systems::Schema* schema_of(std::string_view system) const;

 private:
  struct SystemInstance {
    explicit SystemInstance(std::unique_ptr<systems::System> made) : system(std::move(made)), hasher(*system) {}
    std::unique_ptr<systems::System> system;
    systems::IdentityHasher hasher;
  };
  /// A study, the instance of its system, a reusable point and the study's range of points in the plan.
  struct StudyContext {
    const sweep::Study* study;
    SystemInstance* instance;
    systems::Point point;
    std::uint64_t begin;
    std::uint64_t end;
  };
  /// The context of the point's study, with `point` filled in.
  StudyContext& context_at(std::uint64_t point);
  StudyContext& find_context(std::uint64_t point);
  Hash128 identity_of(SystemInstance& instance, const systems::Point& values, std::uint64_t point);

  const sweep::Plan& plan_;
  std::map<std::string, std::unique_ptr<SystemInstance>, std::less<>> instances_;
  std::vector<StudyContext> contexts_;
  /// Cached, because points mostly come in ascending order.
  std::size_t last_context_ = 0;
};

/// Evaluates one point. Any error, and any number that its metric cannot have, gives the record the status `failed` and
/// a message that says why.
void evaluate_point(systems::System& system, const systems::Point& point, systems::Record& record);

}  // namespace pimsweep::driver
