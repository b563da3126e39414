#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/cache.h"
#include "driver/evaluator.h"
#include "driver/point_set.h"
#include "driver/work_pool.h"
#include "results/journal.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// Where results of a plan's points may be already.
struct KnownPlaces {
  std::string journals;
  /// An earlier results file; it need not exist.
  std::string results;
  std::optional<Cache> cache;
};

/// What is there of a plan already.
struct KnownResults {
  /// Points that need no evaluation.
  PointSet done;
  /// Others, which killed a rank before.
  std::vector<Range> suspects;
  /// Time that the evaluation of each study's known points took, summed.
  std::vector<double> seconds;
  /// What is worth telling about the journals.
  std::vector<std::string> warnings;

  /// Done points of a study.
  std::uint64_t done_of(const sweep::Plan& plan, std::size_t study) const;
};

/// Looks for results: by number in journals of this plan, by content hash everywhere else. Failed points are not done,
/// crashed ones only if `keep_crashed`. `take_over` is called with each result that stands under another number, or not
/// in a journal, under its number in this plan.
KnownResults find_known(const sweep::Plan& plan, Evaluator& evaluator, const KnownPlaces& places, bool keep_crashed,
                        const std::function<void(const results::JournalEntry&)>& take_over);

}  // namespace pimsweep::driver
