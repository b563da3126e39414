#pragma once

#include <functional>
#include <string>

#include "driver/evaluator.h"
#include "driver/faults.h"
#include "journal/journal.h"

namespace pimsweep::driver {

/// Evaluates a point in a child process. If the child dies or takes longer than `limit` seconds (0: no limit), the
/// record gets the status `crashed` and a message that says why. Returns false and leaves `entry` alone if `stop`
/// became true first.
bool evaluate_isolated(Evaluator& evaluator, Fault& fault, std::uint64_t point, double limit,
                       const std::function<bool()>& stop, journal::Entry& entry);

}  // namespace pimsweep::driver
