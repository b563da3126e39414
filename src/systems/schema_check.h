#pragma once

#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems {

/// The defects of a schema, one sentence each: duplicate names, names that do not match the kind of their axis, and
/// docs that do not stand alone. A doc is a noun phrase of 3 to 20 words that makes sense as the label of a plot's axis
/// (docs/style.md); the reason why a value may be absent has at least two words.
std::vector<std::string> schema_defects(const Schema& schema);

/// Throws std::logic_error with all defects of a schema, if it has any.
void check_schema(const Schema& schema);

}  // namespace pimsweep::systems
