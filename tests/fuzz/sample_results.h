#pragma once

#include <string>

#include "systems/system.h"

namespace pimsweep::fuzz {

/// The bytes of a small results file with every kind of column, without its seal. Made once.
const std::string& sample_results();

/// The schema of its studies.
systems::Schema sample_schema();

}  // namespace pimsweep::fuzz
