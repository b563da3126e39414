#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/cache.h"
#include "driver/evaluator.h"
#include "driver/point_set.h"
#include "driver/reuse.h"
#include "driver/work_pool.h"
#include "journal/journal.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// Places where results of a plan's points may already exist.
struct ResultLocations {
  std::string journals;
  /// An earlier results file; empty if there is none.
  std::string results;
  std::optional<Cache> cache;
};

/// Existing results of a plan.
struct KnownResults {
  /// Points that need no evaluation. Those of searches are among them: they are evaluated when they are chosen.
  PointSet done;
  /// Points that killed a rank in an earlier run and need another evaluation.
  std::vector<Range> suspects;
  /// For each study, the summed evaluation time of its known points.
  std::vector<double> seconds;
  /// Warnings about the journals, for the user.
  std::vector<std::string> warnings;

  /// Number of done points of a study; 0 for a search, whose points are not known yet.
  std::uint64_t done_of(const sweep::Plan& plan, std::size_t study) const;
};

/// All results in these places, under whatever numbers.
std::vector<ResultSource> all_results(const sweep::Plan& plan, Evaluator& evaluator, const ResultLocations& locations);

/// Looks for results: by point number in journals of this plan, by content hash everywhere else. Failed points do not
/// count as done, crashed ones only with `keep_crashed`. Calls `adopt` with each result found by content hash,
/// renumbered for this plan.
KnownResults find_known(const sweep::Plan& plan, Evaluator& evaluator, const ResultLocations& locations,
                        bool keep_crashed, const std::function<void(const journal::Entry&)>& adopt);

}  // namespace pimsweep::driver
