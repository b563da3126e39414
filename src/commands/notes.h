#pragma once

#include <string>
#include <vector>

#include "sweep/plan.h"

namespace pimsweep::commands {

/// Ignored parts of other programs' hardware files, and what the readers of network files assumed: each once.
std::vector<std::string> notes_of(const sweep::Plan& plan);

/// Prints them.
void print_notes(const sweep::Plan& plan);

}  // namespace pimsweep::commands
