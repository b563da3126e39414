#pragma once

#include <string>

#include "systems/system.h"

namespace pimsweep::systems {

/// How a record violates its schema; empty if it conforms. It does with as many cells as the schema has, each of its
/// column's type; with numbers that are finite and in the range of their metric; and, if its status is ok, with a
/// number in every metric that may not be absent.
std::string record_fault(const Schema& schema, const Record& record);

}  // namespace pimsweep::systems
