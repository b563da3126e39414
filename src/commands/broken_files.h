#pragma once

#include "base/config_folders.h"

namespace pimsweep::commands {

/// Prints warnings about files of models, training steps and hardware that have errors. Names that do not need these
/// files can be used all the same.
void warn_of_broken_files(const ConfigFolders& configs);

}  // namespace pimsweep::commands
