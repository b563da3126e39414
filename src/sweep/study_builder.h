#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sweep/experiment_file.h"
#include "sweep/hardware_library.h"
#include "sweep/model_names.h"
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

/// Files besides the experiment file, which studies share.
struct StudyFiles {
  HardwareLibrary hardware;
  ModelNames models;
  /// That of the experiment file, whose paths are relative to it.
  std::string directory;
};

/// Resolves a study against its system: axes, zips, table, overrides, then hardware files and defaults for the rest.
/// Empty on error; every problem goes to `problems`. `schema` has the axis `hardware` (with_hardware_axis).
std::optional<Study> build_study(const StudyBlock& block, const std::shared_ptr<const systems::Schema>& schema,
                                 StudyFiles& files, const std::vector<Override>& overrides, ProblemList& problems);

}  // namespace pimsweep::sweep
