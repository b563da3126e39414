#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "systems/system.h"

namespace pimsweep::journal {

/// Appends the bytes of a record: numbers little endian, texts and lists with their counts.
void encode(const systems::Record& record, std::string& bytes);

/// Reads a record from the front of `bytes`. Returns false if the bytes are not a complete record; `record` is then
/// unspecified.
bool decode(ByteReader& bytes, systems::Record& record);

}  // namespace pimsweep::journal
