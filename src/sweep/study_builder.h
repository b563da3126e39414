#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sweep/experiment_file.h"
#include "sweep/plan.h"
#include "sweep/study_hardware.h"

namespace pimsweep::sweep {

/// `--set key=value`, which overrides all files.
struct Override {
  std::string axis;
  std::string text;
  /// What the user wrote, for messages.
  SourcePosition where;
};

/// Resolves a study against its system: axes, zips, table, overrides, then hardware files and defaults for the rest.
/// Empty on error; every problem goes to `problems`. `schema` has the axis `hardware` (with_hardware_axis). `directory`
/// is that of the experiment file, whose paths are relative to it.
std::optional<Study> build_study(const StudyBlock& block, const std::shared_ptr<const systems::Schema>& schema,
                                 HardwareLibrary& hardware, const std::vector<Override>& overrides,
                                 const std::string& directory, ProblemList& problems);

}  // namespace pimsweep::sweep
