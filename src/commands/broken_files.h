#pragma once

#include <vector>

#include "base/config_folders.h"
#include "base/error.h"

namespace pimsweep::commands {

/// What is wrong with files of models, training steps and hardware. Names that do not need these files can be used all
/// the same.
std::vector<Problem> find_broken_files(const ConfigFolders& configs);

/// Prints problems as warnings.
void print_warnings(const std::vector<Problem>& problems);

}  // namespace pimsweep::commands
