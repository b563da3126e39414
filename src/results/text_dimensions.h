#pragma once

#include <cstddef>
#include <map>
#include <string_view>

#include "results/hdf5_handle.h"

namespace pimsweep::results {

/// The second dimensions of text columns, one for each string length in a file: "string24" in the file's root, which
/// all text columns of 24 bytes share. They are dimensions without coordinates as netCDF-4 writes them.
class TextDimensions {
 public:
  explicit TextDimensions(hid_t file) : file_(file) {}
  /// Whether a dimension may have this name: "string" and digits.
  static bool is_name(std::string_view name);
  /// The dimension scale of a length, which must not be 0.
  hid_t of(std::size_t length);

 private:
  hid_t file_;
  std::map<std::size_t, Hdf5Handle> scales_;
};

}  // namespace pimsweep::results
