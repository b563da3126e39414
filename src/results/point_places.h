#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "results/point_cells.h"

namespace pimsweep::results {

/// Says where points of a study are: the values of the axes that the study varies.
class PointPlaces {
 public:
  /// Axes of `left_out` are not told; of more than `max_axes` others, the last ones are only counted. 0 is no limit.
  PointPlaces(const std::string& results_file, const std::string& study, const std::vector<std::string>& left_out = {},
              std::size_t max_axes = 0);
  /// "policy allspark, batch 8"; empty where nothing varies.
  std::string text(std::uint64_t point);

 private:
  std::vector<std::string> axes_;
  std::size_t untold_ = 0;
  PointCells cells_;
};

}  // namespace pimsweep::results
