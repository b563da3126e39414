#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/point_cells.h"

namespace pimsweep::results {

/// Says where points of a study are: the values of the axes that the study varies.
class PointPlaces {
 public:
  /// Axes of `left_out` are left out.
  PointPlaces(const std::string& results_file, const std::string& study, const std::vector<std::string>& left_out = {});
  /// "policy allspark, batch 8"; empty if no axis varies.
  std::string text(std::uint64_t point);

 private:
  std::vector<std::string> axes_;
  PointCells cells_;
};

}  // namespace pimsweep::results
