#pragma once

#include <string>

#include "systems/system.h"

namespace pimsweep::systems {

/// The first violation of the schema by a record; empty if it conforms. A conforming record has as many cells as the
/// schema, each of the type of its column; its numbers are finite and within the range of their metric; if its status
/// is ok, every metric that may not be absent has a value.
std::string record_fault(const Schema& schema, const Record& record);

}  // namespace pimsweep::systems
