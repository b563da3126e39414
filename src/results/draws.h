#pragma once

#include <string>
#include <vector>

#include "results/data_frame.h"

namespace pimsweep::results {

/// A constant that has another value on a drawn machine than on that of the hardware file.
struct MovedConstant {
  std::string axis;
  /// On the machine of the file, and on the drawn one; those of the first row in which they differ.
  double usual = 0;
  double value = 0;
  /// Of a column of texts.
  std::string text;
  std::string unit;
  bool is_choice = false;
};

/// All constants that a machine moves, against draw 0 of the same frame.
std::vector<MovedConstant> moved_constants(const DataFrame& usual, const DataFrame& drawn);

}  // namespace pimsweep::results
