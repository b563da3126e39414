#pragma once

#include <string>

#include "results/difference.h"

namespace pimsweep::commands {

/// Output of `pimsweep compare A B --json` (docs/results-format.md).
std::string differences_json(const std::string& file_a, const std::string& file_b,
                             const results::FileDifference& difference);

}  // namespace pimsweep::commands
