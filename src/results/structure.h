#pragma once

#include <string>

#include "results/hdf5_handle.h"

namespace pimsweep::results {

/// Checks that an open results file has the structure that write_results() gives it, so that readers need not: links,
/// layout, filters, types and lengths of all columns, and no more rows than its bytes can hold. Throws InputError that
/// names the column.
void check_structure(hid_t file, const std::string& path);

}  // namespace pimsweep::results
