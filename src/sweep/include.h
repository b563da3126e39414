#pragma once

#include <string>

#include "base/error.h"
#include "sweep/experiment_file.h"

namespace pimsweep::sweep {

/// Adds the studies of `[[include]]` blocks to an experiment, with the name of their experiment as a prefix of their
/// ids, and its folders of models, hardware and training steps. Included files are in `directory`; their texts are
/// appended to `text`.
void add_included(ExperimentFile& experiment, const std::string& directory, std::string& text, ProblemList& problems);

}  // namespace pimsweep::sweep
