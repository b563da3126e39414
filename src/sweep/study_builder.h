#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sweep/experiment_file.h"
#include "sweep/plan.h"

namespace pimsweep::sweep {

/// `--set key=value`: wins over whatever the file says.
struct Override {
  std::string axis;
  std::string text;
  /// What the user wrote, for messages.
  SourcePosition where;
};

/// Resolves a study against its system: axes, zips, table, overrides, then the hardware file and defaults for the rest.
/// Empty if something is wrong; every problem goes to `problems`. `hardware` is null when the study has none or it
/// could not be read. `directory` is the experiment file's: paths in it are relative to it.
std::optional<Study> build_study(const StudyBlock& block, std::shared_ptr<const systems::Schema> schema,
                                 std::shared_ptr<const HardwareFile> hardware, const std::vector<Override>& overrides,
                                 const std::string& directory, ProblemList& problems);

}  // namespace pimsweep::sweep
