#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/hdf5_handle.h"

/// Thin wrappers for reading results files. Each throws an InputError that names the file and the fault.
namespace pimsweep::results::hdf5 {

/// Opens the group `name` of the file `path`.
Hdf5Handle open_group(hid_t file, const std::string& path, const std::string& name);

/// Names of the members of a group that are of one kind, in the order of their creation.
std::vector<std::string> members(hid_t group, H5O_type_t kind);

/// Names of the attributes of an object, in alphabetical order.
std::vector<std::string> attributes(hid_t object);

/// A text attribute; empty if the object has none of that name and type.
std::string read_text_attribute(hid_t object, const char* name);

/// An integer attribute; 0 if the object has none of that name and type.
std::int64_t read_integer_attribute(hid_t object, const char* name);

}  // namespace pimsweep::results::hdf5
