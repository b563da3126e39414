#pragma once

#include <vector>

#include "sweep/misfits.h"

namespace pimsweep::driver {

/// Prints misfits to stderr as warnings. Throws InputError with those of studies that have no point that can run.
void report_misfits(const std::vector<sweep::StudyFit>& fits);

}  // namespace pimsweep::driver
