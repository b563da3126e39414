#include "results/hdf5_write.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace pimsweep::results::hdf5 {

namespace {

/// Variable-length UTF-8, the type of all text attributes.
Hdf5Handle text_type() {
  Hdf5Handle type(checked(H5Tcopy(H5T_C_S1), "make a string type"), H5Tclose);
  check(H5Tset_size(type.get(), H5T_VARIABLE), "make a string type");
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "make a string type");
  return type;
}

Hdf5Handle create_attribute(hid_t object, const std::string& name, hid_t type, hid_t space) {
  return {checked(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), "create an attribute"),
          H5Aclose};
}

}  // namespace

hid_t checked(hid_t id, const char* doing) {
  if (id < 0) throw std::runtime_error(fmt::format("HDF5 cannot {}", doing));
  return id;
}

void check(herr_t result, const char* doing) {
  if (result < 0) throw std::runtime_error(fmt::format("HDF5 cannot {}", doing));
}

Hdf5Handle dataset_properties() {
  Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(properties.get(), false), "leave out object times");
  check(H5Pset_attr_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
        "track attributes");
  return properties;
}

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
  const Hdf5Handle type = text_type();
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute = create_attribute(object, name, type.get(), space.get());
  const char* pointer = text.c_str();
  check(H5Awrite(attribute.get(), type.get(), &pointer), "write an attribute");
}

void write_attribute(hid_t object, const std::string& name, std::int64_t number) {
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute = create_attribute(object, name, H5T_STD_I64LE, space.get());
  check(H5Awrite(attribute.get(), H5T_NATIVE_INT64, &number), "write an attribute");
}

void write_real_attribute(hid_t object, const std::string& name, double number) {
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute = create_attribute(object, name, H5T_IEEE_F64LE, space.get());
  check(H5Awrite(attribute.get(), H5T_NATIVE_DOUBLE, &number), "write an attribute");
}

void write_flags(hid_t dataset, const std::string& meanings) {
  std::vector<std::int8_t> values(1 + static_cast<std::size_t>(std::count(meanings.begin(), meanings.end(), ' ')));
  std::iota(values.begin(), values.end(), std::int8_t{0});
  const hsize_t count = values.size();
  const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Hdf5Handle attribute = create_attribute(dataset, "flag_values", H5T_STD_I8LE, space.get());
  check(H5Awrite(attribute.get(), H5T_NATIVE_INT8, values.data()), "write an attribute");
  write_attribute(dataset, "flag_meanings", meanings);
}

Hdf5Handle create_file(const std::string& path) {
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110), "choose the file format");
  const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  // netCDF needs both orders tracked to open a file for appending.
  check(H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), "track links");
  check(H5Pset_attr_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), "track attributes");
  check(H5Pset_obj_track_times(creation.get(), false), "leave out object times");
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get());
  if (file < 0) throw std::runtime_error(fmt::format("cannot create '{}'", path));
  return {file, H5Fclose};
}

Hdf5Handle create_group(hid_t parent, const std::string& name) {
  const Hdf5Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  check(H5Pset_link_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), "track links");
  check(H5Pset_attr_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
        "track attributes");
  check(H5Pset_obj_track_times(properties.get(), false), "leave out object times");
  return {checked(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), "create a group"),
          H5Gclose};
}

}  // namespace pimsweep::results::hdf5
