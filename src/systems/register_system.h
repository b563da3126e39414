#pragma once

#include "systems/system.h"

namespace pimsweep::systems {

/// Adds a system of the program's own to those of registry.cpp, before any system is used (docs/tutorials/library.md).
/// Throws std::logic_error if the name is taken or systems are in use already.
void register_system(SystemEntry entry);

}  // namespace pimsweep::systems
