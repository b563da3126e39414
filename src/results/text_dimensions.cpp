#include "results/text_dimensions.h"

#include <fmt/format.h>
#include <hdf5_hl.h>

#include "results/hdf5_write.h"

namespace pimsweep::results {

namespace {

constexpr std::string_view prefix = "string";

/// A dataset of big-endian floats that is never written, with a name that says that it is no variable: this is how
/// netCDF-4 stores a dimension without coordinates (NetCDF File Format Specifications, "Dimensions without Coordinate
/// Variables").
Hdf5Handle create_dimension(hid_t file, std::size_t length) {
  const hsize_t size = length;
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Handle properties = hdf5::dataset_properties();
  Hdf5Handle scale(hdf5::checked(H5Dcreate2(file, fmt::format("{}{}", prefix, length).c_str(), H5T_IEEE_F32BE,
                                            space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                                 "create a dimension"),
                   H5Dclose);
  const std::string name = fmt::format("This is a netCDF dimension but not a netCDF variable. {:>10}", length);
  hdf5::check(H5DSset_scale(scale.get(), name.c_str()), "make a dimension scale");
  return scale;
}

}  // namespace

bool TextDimensions::is_name(std::string_view name) {
  return name.starts_with(prefix) && name.find_first_not_of("0123456789", prefix.size()) == std::string_view::npos;
}

hid_t TextDimensions::of(std::size_t length) {
  const auto found = scales_.find(length);
  if (found != scales_.end()) return found->second.get();
  return scales_.emplace(length, create_dimension(file_, length)).first->second.get();
}

}  // namespace pimsweep::results
