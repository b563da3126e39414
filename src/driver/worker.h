#pragma once

#include "driver/communicator.h"
#include "driver/evaluator.h"
#include "results/journal.h"

namespace pimsweep {

/// Every other rank's part: evaluates what it is granted until it is told to finish. Returns the exit status.
int work(Communicator& communicator, Evaluator& evaluator, JournalWriter& journal);

}  // namespace pimsweep
