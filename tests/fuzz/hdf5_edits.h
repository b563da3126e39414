#pragma once

#include <string>

#include "base/bytes.h"

namespace pimsweep::fuzz {

/// Edits a results file as `edits` say, two bytes and more for each edit: removes, renames and links objects; gives
/// datasets another type, shape, layout or other values; changes attributes. The file remains one of HDF5.
void edit_results(const std::string& path, ByteReader& edits);

}  // namespace pimsweep::fuzz
