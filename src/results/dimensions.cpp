#include "results/dimensions.h"

#include <fmt/format.h>
#include <hdf5_hl.h>

#include <string>
#include <utility>

#include "results/hdf5_write.h"

namespace pimsweep::results {

namespace {

constexpr std::string_view prefix = "string";

hobj_ref_t reference_to(hid_t object) {
  hobj_ref_t reference = 0;
  hdf5::check(H5Rcreate(&reference, object, ".", H5R_OBJECT, -1), "make a reference");
  return reference;
}

/// A dataset of big-endian floats that is never written, with a name that says that it is not a variable: this is how
/// netCDF-4 stores a dimension without coordinates (NetCDF File Format Specifications, "Dimensions without Coordinate
/// Variables").
Hdf5Handle create_dimension(hid_t file, std::size_t length) {
  const hsize_t size = length;
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Handle properties = hdf5::dataset_properties();
  return {hdf5::checked(H5Dcreate2(file, fmt::format("{}{}", prefix, length).c_str(), H5T_IEEE_F32BE, space.get(),
                                   H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                        "create a dimension"),
          H5Dclose};
}

}  // namespace

DimensionScale::DimensionScale(Hdf5Handle dataset, const char* name)
    : dataset_(std::move(dataset)), reference_(reference_to(dataset_.get())) {
  hdf5::check(H5DSset_scale(dataset_.get(), name), "make a dimension scale");
}

void DimensionScale::close() {
  if (users_.empty()) return;
  const Hdf5Handle type(hdf5::checked(H5Tcreate(H5T_COMPOUND, sizeof(User)), "make a type"), H5Tclose);
  hdf5::check(H5Tinsert(type.get(), "dataset", HOFFSET(User, dataset), H5T_STD_REF_OBJ), "make a type");
  hdf5::check(H5Tinsert(type.get(), "dimension", HOFFSET(User, dimension), H5T_NATIVE_INT), "make a type");
  hdf5::write_list_attribute(dataset_.get(), "REFERENCE_LIST", type.get(), users_.size(), users_.data());
}

void attach_dimensions(hid_t dataset, const std::vector<DimensionScale*>& scales) {
  static const hid_t type = H5Tvlen_create(H5T_STD_REF_OBJ);
  const hobj_ref_t reference = reference_to(dataset);
  std::vector<hvl_t> list;
  for (DimensionScale* scale : scales) {
    scale->users_.push_back({reference, static_cast<int>(list.size())});
    list.push_back({1, &scale->reference_});
  }
  hdf5::write_list_attribute(dataset, "DIMENSION_LIST", type, list.size(), list.data());
}

bool TextDimensions::is_name(std::string_view name) {
  return name.starts_with(prefix) && name.find_first_not_of("0123456789", prefix.size()) == std::string_view::npos;
}

DimensionScale& TextDimensions::of(std::size_t length) {
  const auto found = scales_.find(length);
  if (found != scales_.end()) return found->second;
  const std::string name = fmt::format("This is a netCDF dimension but not a netCDF variable. {:>10}", length);
  return scales_.try_emplace(length, create_dimension(file_, length), name.c_str()).first->second;
}

void TextDimensions::close() {
  for (auto& [length, scale] : scales_) scale.close();
}

}  // namespace pimsweep::results
