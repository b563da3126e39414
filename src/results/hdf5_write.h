#pragma once

#include <cstdint>
#include <string>

#include "results/hdf5_handle.h"

/// Thin wrappers for writing HDF5. Each throws a std::runtime_error that names the step that failed.
namespace pimsweep::results::hdf5 {

/// The message of the system for the last call that failed, as ": No space left on device"; empty if unknown.
std::string reason_of_system();
/// Returns the identifier unless it is that of a failure.
hid_t checked(hid_t id, const char* doing);
void check(herr_t result, const char* doing);

void write_attribute(hid_t object, const std::string& name, const std::string& text);
void write_attribute(hid_t object, const std::string& name, std::int64_t number);
void write_real_attribute(hid_t object, const std::string& name, double number);
/// A list of elements as they are in memory.
void write_list_attribute(hid_t object, const char* name, hid_t type, hsize_t count, const void* elements);

/// Names the values 0, 1, ... of a small integer by the attributes of the CF conventions. `meanings` lists the names,
/// separated by blanks.
void write_flags(hid_t dataset, const std::string& meanings);

/// A new file in the format of HDF5 1.10, whose metadata carry checksums.
Hdf5Handle create_file(const std::string& path);
/// A group, and those above it that are not there yet.
Hdf5Handle create_group(hid_t parent, const std::string& path);
/// Properties that all new datasets share: creation order of attributes, no times.
Hdf5Handle dataset_properties();

}  // namespace pimsweep::results::hdf5
