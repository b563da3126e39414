#pragma once

#include <cstdint>
#include <vector>

#include "results/column_group.h"
#include "results/data_digest.h"
#include "results/text_dimensions.h"
#include "systems/system.h"

namespace pimsweep::results {

/// The table `bands` of a study with drawn machines: for each point on the machine of the hardware file, the quantiles
/// of every numeric metric over the drawn machines (docs/uncertainty.md).
class StudyBands {
 public:
  static constexpr auto group_name = "bands";

  StudyBands(hid_t study, const systems::Schema& schema, TextDimensions& text_dimensions);

  /// Adds the next row of the study. Those of one point's machines follow each other, machine 0 first.
  void push(std::uint64_t row, std::int64_t machine, const systems::Record& record);
  void close(DataDigest& digest);

 private:
  struct OfMetric {
    std::size_t metric;
    ColumnWriter* low;
    ColumnWriter* median;
    ColumnWriter* high;
    /// Of the drawn machines that have one.
    std::vector<double> numbers;
  };
  void end_point();

  ColumnGroup rows_;
  ColumnWriter& point_;
  ColumnWriter& machines_;
  std::vector<OfMetric> metrics_;
  std::uint64_t first_row_ = 0;
  std::int64_t with_result_ = 0;
  bool has_point_ = false;
};

}  // namespace pimsweep::results
