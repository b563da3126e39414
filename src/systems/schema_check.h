#pragma once

#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems {

/// What is wrong with a schema, one sentence each: names that are declared twice, and docs that do not stand alone. A
/// doc is a noun phrase of 3 to 20 words that makes sense as the label of a plot's axis (docs/style.md), the reason why
/// a value may be absent one of two words or more.
std::vector<std::string> schema_defects(const Schema& schema);

/// Throws std::logic_error with all defects of a schema, if it has any.
void check_schema(const Schema& schema);

}  // namespace pimsweep::systems
