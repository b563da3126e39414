#include "results/hdf5_read.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <system_error>

#include "base/error.h"
#include "base/output_file.h"
#include "base/regular_file.h"
#include "results/seal.h"
#include "results/structure.h"
#include "results/version.h"

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

/// Throws InputError unless the file is sealed, or may be without a seal.
void check_seal(const std::string& path) {
  switch (inspect_seal(path)) {
    case Seal::intact:
      return;
    case Seal::broken:
      throw InputError(fmt::format("'{}' is damaged: its bytes do not match its checksum", path));
    case Seal::none:
      break;
  }
  if (H5Fis_hdf5(path.c_str()) <= 0) {
    throw InputError(fmt::format("'{}' is not a results file of pimsweep: it is not an HDF5 file", path));
  }
  if (unsealed_files_accepted()) return;
  throw InputError(fmt::format(
      "'{}' has no checksum: another program has written to it, it was cut short, or it is not a results file of "
      "pimsweep. Run "
      "the experiment again with --force, or read the file unchecked with --unsealed: a damaged one may "
      "crash HDF5 or give wrong numbers",
      path));
}

/// Changes when another file replaces this one or the file is written to.
std::string state_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return fmt::format("{} {} {} {}.{:09}", status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

/// The files that are known to be whole, each with its state. The checks read the whole file, so that their success is
/// remembered until the file changes.
std::map<std::string, std::string>& checked_files() {
  static std::map<std::string, std::string> checked;
  return checked;
}

void check_format(hid_t file, const std::string& path) {
  if (read_text_attribute(file, "format") != "pimsweep results")
    throw InputError(fmt::format("'{}' is not a results file of pimsweep: it lacks the attribute 'format'", path));
  const std::int64_t version = read_integer_attribute(file, "format_version");
  if (version != results_format_version) {
    throw InputError(fmt::format(
        "'{}' is a results file of format version {}, written by pimsweep {}; this program reads version {}: use that "
        "pimsweep, or run the experiment again with --force",
        path, version, read_text_attribute(file, "pimsweep_version"), results_format_version));
  }
}

}  // namespace

Hdf5Handle open_results(const std::string& path) {
  std::map<std::string, std::string>& checked = checked_files();
  prepare_hdf5();
  require_regular_file(path);
  note_input(path);
  if (::access(path.c_str(), R_OK) != 0) {
    throw InputError(fmt::format("cannot read '{}': {}", path, std::generic_category().message(errno)));
  }
  const std::string state = state_of(path);
  const bool is_checked = !state.empty() && checked[path] == state;
  if (!is_checked) check_seal(path);
  Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.valid()) throw InputError(fmt::format("'{}' is damaged: HDF5 cannot open it", path));
  if (is_checked) return file;
  check_format(file.get(), path);
  check_structure(file.get(), path);
  checked[path] = state;
  return file;
}

void remember_whole(const std::string& path) { checked_files()[path] = state_of(path); }

Hdf5Handle open_group(hid_t file, const std::string& path, const std::string& name) {
  Hdf5Handle group(H5Gopen2(file, name.c_str(), H5P_DEFAULT), H5Gclose);
  if (!group.valid()) throw InputError(fmt::format("'{}' has no group '{}', or it is damaged", path, name));
  return group;
}

std::vector<std::string> members(hid_t group, H5O_type_t kind) {
  std::vector<std::string> names;
  if (H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, collect_name, &names) < 0)
    throw InputError("a group of the results file cannot be listed: the file is damaged, or it has links to elsewhere");
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
