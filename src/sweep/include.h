#pragma once

#include <string>

#include "base/error.h"
#include "sweep/experiment_file.h"

namespace pimsweep::sweep {

/// Adds the studies of `[[include]]` blocks to those of an experiment, with the name of the other experiment before
/// their ids, and its folders of models, hardware and training steps. Experiments are looked for in `directory`; their
/// texts are appended to `text`.
void add_included(ExperimentFile& experiment, const std::string& directory, std::string& text, ProblemList& problems);

}  // namespace pimsweep::sweep
