#pragma once

#include "systems/system.h"

namespace pimsweep::systems {

/// Adds a system to those of registry.cpp; call it before any system is used (docs/tutorials/library.md). Throws
/// std::logic_error if the name exists or systems are already in use.
void register_system(SystemEntry entry);

}  // namespace pimsweep::systems
