#include "results/hdf5_read.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "base/error.h"
#include "results/seal.h"
#include "results/version.h"

namespace pimsweep::results::hdf5 {

namespace {

/// Callback of H5Literate: adds the name of a link to `names`.
herr_t collect_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

/// Throws InputError if the file does not match its checksum. The check reads the whole file, so its success is
/// remembered until size or time of the file change.
void check_seal(const std::string& path) {
  static std::set<std::string> intact;
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  const auto time = std::filesystem::last_write_time(path, error).time_since_epoch().count();
  const std::string state = fmt::format("{} {} {}", path, size, time);
  if (error || intact.contains(state)) return;
  if (is_seal_broken(path)) throw InputError(fmt::format("'{}' is damaged: its bytes do not match its checksum", path));
  intact.insert(state);
}

}  // namespace

Hdf5Handle open_results(const std::string& path) {
  prepare_hdf5();
  check_seal(path);
  Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.valid()) throw InputError(fmt::format("'{}' is missing, damaged or no HDF5 file", path));
  if (read_text_attribute(file.get(), "format") != "pimsweep results")
    throw InputError(fmt::format("'{}' is no results file of pimsweep: it lacks the attribute 'format'", path));
  const std::int64_t version = read_integer_attribute(file.get(), "format_version");
  if (version != results_format_version) {
    throw InputError(fmt::format(
        "'{}' is a results file of format version {}, written by pimsweep {}; this program reads version {}: use that "
        "pimsweep, or run the experiment again with --force",
        path, version, read_text_attribute(file.get(), "pimsweep_version"), results_format_version));
  }
  return file;
}

Hdf5Handle open_group(hid_t file, const std::string& path, const std::string& name) {
  Hdf5Handle group(H5Gopen2(file, name.c_str(), H5P_DEFAULT), H5Gclose);
  if (!group.valid()) throw InputError(fmt::format("'{}' has no group '{}', or it is damaged", path, name));
  return group;
}

std::vector<std::string> members(hid_t group, H5O_type_t kind) {
  std::vector<std::string> names;
  if (H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, collect_name, &names) < 0)
    throw InputError("a group of the results file cannot be listed (is the file damaged?)");
  std::erase_if(names, [&](const std::string& name) {
    H5O_info_t info;
    if (H5Oget_info_by_name2(group, name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
      throw InputError(fmt::format("'{}' of the results file cannot be opened (is the file damaged?)", name));
    return info.type != kind;
  });
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
