#pragma once

#include <string>
#include <vector>

#include "results/data_frame.h"

namespace pimsweep::results {

/// The machine of a hardware file (draw 0), then those of `[study.uncertainty]`; the frame itself where nothing was
/// drawn. Constants that do not vary on one machine separate no rows there.
std::vector<DataFrame> frames_of_draws(const DataFrame& frame);

/// A constant that has another value on a drawn machine than on that of the hardware file.
struct MovedConstant {
  std::string axis;
  /// On the machine of the file, and on the drawn one; those of the first row in which they differ.
  double usual = 0;
  double value = 0;
  std::string text;
  std::string unit;
};

/// All constants that a machine moves, against draw 0 of the same frame.
std::vector<MovedConstant> moved_constants(const DataFrame& usual, const DataFrame& drawn);

}  // namespace pimsweep::results
