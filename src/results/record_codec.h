#pragma once

#include <string>
#include <string_view>

#include "systems/system.h"

namespace pimsweep {

/// Appends the bytes of a record (little endian; texts with their length).
void encode(const Record& record, std::string& bytes);

/// Reads a record back. Returns false if the bytes are not a whole record; `record` is then unspecified.
bool decode(std::string_view bytes, Record& record);

}  // namespace pimsweep
