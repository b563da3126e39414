#pragma once

#include <vector>

#include "base/config_folders.h"
#include "base/error.h"

namespace pimsweep::commands {

/// Problems of the user's own model, training and hardware files; those that came with the program are not read. Names
/// that do not need these files can be used all the same.
std::vector<Problem> find_broken_files(const ConfigFolders& configs);

/// Prints problems as warnings.
void print_warnings(const std::vector<Problem>& problems);

}  // namespace pimsweep::commands
