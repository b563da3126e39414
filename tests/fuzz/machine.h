#pragma once

#include <string>

#include "systems/system.h"

namespace pimsweep::fuzz {

/// Schemas of the tests of src/sweep, made once. Throws InputError for other names.
const systems::Schema& schema_named(const std::string& system);

/// A folder with hardware/small.toml, made once for this process and removed at its end.
const std::string& config_folder();

}  // namespace pimsweep::fuzz
