#include "results/hdf5_read.h"

#include <fmt/format.h>

#include "base/error.h"

namespace pimsweep::results::hdf5 {

namespace {

/// Callback of H5Literate: adds the name of a link to `names`. Only hard links pass: others may lead to other files.
herr_t collect_name(hid_t, const char* name, const H5L_info_t* link, void* names) {
  if (link->type != H5L_TYPE_HARD) return -1;
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

/// Callback of H5Aiterate2: adds the name of an attribute to `names`.
herr_t collect_attribute(hid_t, const char* name, const H5A_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

}  // namespace

Hdf5Handle open_group(hid_t file, const std::string& path, const std::string& name) {
  Hdf5Handle group(H5Gopen2(file, name.c_str(), H5P_DEFAULT), H5Gclose);
  if (!group.valid()) throw InputError(fmt::format("'{}' has no group '{}', or it is damaged", path, name));
  return group;
}

std::vector<std::string> members(hid_t group, H5O_type_t kind) {
  std::vector<std::string> names;
  // Where a link of a small group cannot be decoded, HDF5 1.10.8 frees what it never set while it lists the group. A
  // search reads all of these links, and only fails.
  const bool is_readable = H5Lexists(group, "?", H5P_DEFAULT) >= 0;
  if (!is_readable || H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, collect_name, &names) < 0) {
    throw InputError("a group of the results file cannot be listed: the file is damaged, or it has links to elsewhere");
  }
  std::erase_if(names, [&](const std::string& name) {
    H5O_info_t info;
    if (H5Oget_info_by_name2(group, name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
      throw InputError(fmt::format("'{}' of the results file cannot be opened (is the file damaged?)", name));
    return info.type != kind;
  });
  return names;
}

std::vector<std::string> attributes(hid_t object) {
  std::vector<std::string> names;
  if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_attribute, &names) < 0)
    throw InputError("the attributes of the results file cannot be listed: the file is damaged");
  return names;
}

std::string read_text_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return {};
  const Hdf5Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute.get()), H5Tclose);
  const Hdf5Handle space(H5Aget_space(attribute.get()), H5Sclose);
  if (H5Tis_variable_str(type.get()) <= 0 || H5Sget_simple_extent_npoints(space.get()) != 1) return {};
  char* text = nullptr;
  if (H5Aread(attribute.get(), type.get(), &text) < 0 || text == nullptr) return {};
  std::string copy = text;
  H5free_memory(text);
  return copy;
}

std::int64_t read_integer_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return 0;
  const Hdf5Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute.get()), H5Tclose);
  const Hdf5Handle space(H5Aget_space(attribute.get()), H5Sclose);
  if (H5Tget_class(type.get()) != H5T_INTEGER || H5Sget_simple_extent_npoints(space.get()) != 1) return 0;
  std::int64_t number = 0;
  return H5Aread(attribute.get(), H5T_NATIVE_INT64, &number) < 0 ? 0 : number;
}

}  // namespace pimsweep::results::hdf5
