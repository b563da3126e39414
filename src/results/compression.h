#pragma once

#include "results/hdf5_handle.h"

namespace pimsweep::results::hdf5 {

/// A file that lives in memory alone.
Hdf5Handle create_memory_file();

/// Adds the filters of compressed columns to the properties of a new dataset: shuffle, where elements have more than
/// one byte, and deflate.
void set_compression(hid_t properties, hid_t type);

}  // namespace pimsweep::results::hdf5
