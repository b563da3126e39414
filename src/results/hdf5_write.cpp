#include "results/hdf5_write.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace pimsweep::results::hdf5 {

namespace {

/// Variable-length UTF-8, the type of all text attributes. The identifier lives as long as the library.
hid_t text_type() {
  static const hid_t type = [] {
    const hid_t made = checked(H5Tcopy(H5T_C_S1), "make a string type");
    check(H5Tset_size(made, H5T_VARIABLE), "make a string type");
    check(H5Tset_cset(made, H5T_CSET_UTF8), "make a string type");
    return made;
  }();
  return type;
}

hid_t scalar_space() {
  static const hid_t space = checked(H5Screate(H5S_SCALAR), "make a dataspace");
  return space;
}

void write_any_attribute(hid_t object, const char* name, hid_t type, hid_t space, const void* content) {
  const Hdf5Handle attribute(
      checked(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), "create an attribute"), H5Aclose);
  check(H5Awrite(attribute.get(), type, content), "write an attribute");
}

/// Maximum number of attributes in the header of an object, where they are cheapest.
constexpr unsigned max_attributes_in_header = 24;

void track_attributes(hid_t properties) {
  check(H5Pset_attr_creation_order(properties, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), "track attributes");
  check(H5Pset_attr_phase_change(properties, max_attributes_in_header, max_attributes_in_header / 2),
        "track attributes");
  check(H5Pset_obj_track_times(properties, false), "leave out object times");
}

}  // namespace

std::string reason_of_system() {
  std::string reason;
  const auto find = [](unsigned, const H5E_error2_t* error, void* found) -> herr_t {
    constexpr std::string_view mark = "error message = '";
    const std::string_view text = error->desc == nullptr ? "" : error->desc;
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) return 0;
    const std::string_view rest = text.substr(at + mark.size());
    *static_cast<std::string*>(found) = fmt::format(": {}", rest.substr(0, rest.find('\'')));
    return 1;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find, &reason);
  return reason;
}

hid_t checked(hid_t id, const char* doing) {
  if (id < 0) throw std::runtime_error(fmt::format("HDF5 cannot {}{}", doing, reason_of_system()));
  return id;
}

void check(herr_t result, const char* doing) {
  if (result < 0) throw std::runtime_error(fmt::format("HDF5 cannot {}{}", doing, reason_of_system()));
}

Hdf5Handle dataset_properties() {
  Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  track_attributes(properties.get());
  return properties;
}

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
  const char* pointer = text.c_str();
  write_any_attribute(object, name.c_str(), text_type(), scalar_space(), &pointer);
}

void write_attribute(hid_t object, const std::string& name, std::int64_t number) {
  write_any_attribute(object, name.c_str(), H5T_STD_I64LE, scalar_space(), &number);
}

void write_real_attribute(hid_t object, const std::string& name, double number) {
  write_any_attribute(object, name.c_str(), H5T_IEEE_F64LE, scalar_space(), &number);
}

void write_list_attribute(hid_t object, const char* name, hid_t type, hsize_t count, const void* elements) {
  const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  write_any_attribute(object, name, type, space.get(), elements);
}

void write_flags(hid_t dataset, const std::string& meanings) {
  std::vector<std::int8_t> values(1 + static_cast<std::size_t>(std::count(meanings.begin(), meanings.end(), ' ')));
  std::iota(values.begin(), values.end(), std::int8_t{0});
  write_list_attribute(dataset, "flag_values", H5T_STD_I8LE, values.size(), values.data());
  write_attribute(dataset, "flag_meanings", meanings);
}

Hdf5Handle create_file(const std::string& path) {
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110), "choose the file format");
  // Columns are written whole: a buffer for each of them would be cleared and filled from the file first.
  check(H5Pset_sieve_buf_size(access.get(), 0), "set the size of a buffer");
  constexpr hsize_t metadata_block = 1U << 16;
  check(H5Pset_meta_block_size(access.get(), metadata_block), "set the size of a buffer");
  const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  // netCDF needs both orders tracked to open a file for appending.
  check(H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), "track links");
  check(H5Pset_attr_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), "track attributes");
  check(H5Pset_obj_track_times(creation.get(), false), "leave out object times");
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get());
  if (file < 0) throw std::runtime_error(fmt::format("HDF5 cannot create '{}'{}", path, reason_of_system()));
  return {file, H5Fclose};
}

Hdf5Handle create_group(hid_t parent, const std::string& path) {
  const Hdf5Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  check(H5Pset_link_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), "track links");
  track_attributes(properties.get());
  // Every group is made with these properties, those above a new one too.
  for (std::size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
    const std::string above = path.substr(0, end);
    if (H5Lexists(parent, above.c_str(), H5P_DEFAULT) > 0) continue;
    const Hdf5Handle made(
        checked(H5Gcreate2(parent, above.c_str(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), "create a group"),
        H5Gclose);
  }
  return {checked(H5Gcreate2(parent, path.c_str(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), "create a group"),
          H5Gclose};
}

}  // namespace pimsweep::results::hdf5
