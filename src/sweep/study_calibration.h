#pragma once

#include "base/error.h"
#include "sweep/calibration.h"
#include "sweep/study_blocks.h"
#include "sweep/study_data.h"
#include "sweep/study_hardware.h"

namespace pimsweep::sweep {

/// Resolves metrics, reference columns, constants with their ranges, and groups of a calibration. The axes and the
/// table of the study have been read. Adds every problem to `problems`.
Calibration resolve_calibration(const CalibrationBlock& block, const StudyData& data, const StudyHardware& hardware,
                                ProblemList& problems);

}  // namespace pimsweep::sweep
