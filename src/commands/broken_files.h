#pragma once

#include <vector>

#include "base/config_folders.h"
#include "base/error.h"

namespace pimsweep::commands {

/// Problems of model, training and hardware files. Names that do not need these files can be used all
/// the same.
std::vector<Problem> find_broken_files(const ConfigFolders& configs);

/// True if one of the folders did not come with the program. Only the user's own files need to be looked at whenever an
/// experiment is checked; to read all that came with the program takes ten times as long as the check.
bool has_own_folder(const ConfigFolders& configs);

/// Prints problems as warnings.
void print_warnings(const std::vector<Problem>& problems);

}  // namespace pimsweep::commands
