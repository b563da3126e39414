#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "results/hdf5_handle.h"

namespace pimsweep::results {

/// A dimension scale and the datasets whose dimension it is. H5DSattach_scale would rewrite the scale's list of these
/// for each dataset; here the list is written once, at the end.
class DimensionScale {
 public:
  /// Makes the dataset a dimension scale of this name.
  DimensionScale(Hdf5Handle dataset, const char* name);

  hid_t dataset() const { return dataset_.get(); }
  /// After the last dataset: writes the attribute REFERENCE_LIST.
  void close();

 private:
  friend void attach_dimensions(hid_t dataset, const std::vector<DimensionScale*>& scales);
  /// As REFERENCE_LIST holds it.
  struct User {
    hobj_ref_t dataset;
    int dimension;
  };

  Hdf5Handle dataset_;
  hobj_ref_t reference_;
  std::vector<User> users_;
};

/// Attaches one scale to each dimension of a dataset.
void attach_dimensions(hid_t dataset, const std::vector<DimensionScale*>& scales);

/// The second dimensions of text columns, one for each string length in a file: "string24" in the file's root, which
/// all text columns of 24 bytes share. They are dimensions without coordinates as netCDF-4 writes them.
class TextDimensions {
 public:
  explicit TextDimensions(hid_t file) : file_(file) {}
  /// True if a dimension may have this name: "string" and digits.
  static bool is_name(std::string_view name);
  /// The dimension scale of a length, which must not be 0.
  DimensionScale& of(std::size_t length);
  void close();

 private:
  hid_t file_;
  std::map<std::size_t, DimensionScale> scales_;
};

}  // namespace pimsweep::results
