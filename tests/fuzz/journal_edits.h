#pragma once

#include <string>
#include <vector>

#include "base/bytes.h"

namespace pimsweep::fuzz {

/// Edits journals as `edits` say, four bytes and more for each edit: repeats, removes, exchanges and cuts frames, moves
/// them to another journal, changes their kinds, numbers and bytes, and repeats whole journals. Then all journals are
/// sealed again, so that the checksums hide nothing, and some of them cut.
void edit_journals(std::vector<std::string>& journals, ByteReader& edits);

}  // namespace pimsweep::fuzz
