#pragma once

#include <string_view>

#include "results/hdf5_handle.h"

namespace pimsweep::results::hdf5 {

/// Adds the filters of compressed columns to the properties of a new dataset: shuffle, where elements have more than
/// one byte, and deflate.
void set_compression(hid_t properties, hid_t type);

/// Whether compression saves at least a quarter of these elements. Deflate takes ten times as long as writing, so less
/// is not worth it.
bool worth_compressing(std::string_view elements, hid_t type);

}  // namespace pimsweep::results::hdf5
