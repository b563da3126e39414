#pragma once

#include <deque>
#include <vector>

#include "driver/evaluator.h"
#include "driver/grant.h"
#include "driver/search_run.h"
#include "journal/journal.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// The searches of a plan. They run one after another on rank 0, which alone knows all results; the points of each
/// generation are granted to all ranks as those of a plan are.
class Searches {
 public:
  /// Both references must outlive the searches.
  Searches(const sweep::Plan& plan, Evaluator& evaluator);

  bool empty() const { return studies_.empty(); }
  /// Takes a result that exists already, whatever its point; points of searches are recognized by their identity.
  void know(const journal::Entry& entry);
  /// Runs all searches. Each ends early if `evaluate` leaves a point without a result.
  void run(const SearchRun::Evaluate& evaluate);
  /// Takes the results of points that `evaluate` has granted.
  void observe(const Grant& grant, const Report& report);
  /// Log of a study's search; nullptr for other studies.
  const SearchLog* log(std::size_t study) const;

 private:
  struct OfStudy {
    std::size_t study;
    KnownObservations known{};
    SearchLog log{};
    std::unique_ptr<SearchRun> run{};
  };

  const sweep::Plan& plan_;
  Evaluator& evaluator_;
  std::deque<OfStudy> studies_;
};

}  // namespace pimsweep::driver
