#pragma once

#include <string>

#include "results/hdf5_handle.h"

namespace pimsweep::results {

/// Opens a results file for reading, after checking its seal, format, version and structure, so that readers need not:
/// links, layout, filters, types and lengths of all columns, and no more rows than its bytes can hold. Throws
/// InputError that names the file and, where it applies, the column.
Hdf5Handle open_results(const std::string& path);

/// Takes a file to be whole as it is now: it was just written.
void remember_whole(const std::string& path);

}  // namespace pimsweep::results
