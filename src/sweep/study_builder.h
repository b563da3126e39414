#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sweep/hardware_file.h"
#include "sweep/model_names.h"
#include "sweep/study.h"
#include "sweep/study_blocks.h"
#include "sweep/study_hardware.h"

namespace pimsweep::sweep {

/// `--set key=value`, which overrides all files.
struct Override {
  std::string axis;
  std::string text;
  /// Origin for messages: the option as written.
  SourcePosition where;
};

/// Files that the studies of an experiment share.
struct StudyFiles {
  HardwareLibrary hardware;
  ModelNames models;
  /// Folder of the experiment file, to which its paths are relative.
  std::string directory;
  /// Only the points of this shard.
  std::optional<Shard> shard = {};
};

/// Resolves a study against its system: overrides, fixed axes, sample, axes, zips and table, then hardware files and
/// defaults for the remaining axes. Adds every problem to `problems` and returns nothing if there is any, or if
/// none of its points is in the shard. `schema` has
/// the axis `hardware` (with_hardware_axis).
std::optional<Study> build_study(const StudyBlock& block, const std::shared_ptr<const systems::Schema>& schema,
                                 StudyFiles& files, const std::vector<Override>& overrides, ProblemList& problems);

}  // namespace pimsweep::sweep
