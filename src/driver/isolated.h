#pragma once

#include <functional>
#include <string>

#include "driver/evaluator.h"
#include "driver/faults.h"
#include "results/journal.h"

namespace pimsweep::driver {

/// Evaluates a point in a process of its own. If that dies, or takes longer than `limit` seconds (0: no limit), the
/// record is `crashed` and says why. Returns false, with nothing in `entry`, if `stop` turned true before the end.
bool evaluate_isolated(Evaluator& evaluator, Fault& fault, std::uint64_t point, double limit,
                       const std::function<bool()>& stop, results::JournalEntry& entry);

}  // namespace pimsweep::driver
