#pragma once

#include <cstdint>
#include <vector>

#include "results/column_group.h"
#include "results/data_digest.h"
#include "results/encoded_block.h"
#include "systems/system.h"

namespace pimsweep::results {

/// Where the columns that bands are made of stand in the group of a study's points.
struct BandColumns {
  std::size_t draw = 0;
  std::size_t status = 0;
  std::size_t first_metric = 0;
};

/// The table `bands` of a study with drawn machines: for each point on the machine of the hardware file, the quantiles
/// of every numeric metric over the drawn machines (docs/uncertainty.md).
class StudyBands {
 public:
  static constexpr auto group_name = "bands";

  StudyBands(hid_t study, const systems::Schema& schema, const BandColumns& columns, const ColumnTarget& target);

  /// Adds the next block of the study's points. The rows of one point's machines follow each other, machine 0 first.
  void add(const EncodedBlock& points);
  void close(DataDigest& digest);

 private:
  struct OfMetric {
    std::size_t metric;
    /// Of the drawn machines that have one.
    std::vector<double> numbers;
  };
  void end_point();

  BandColumns columns_;
  std::vector<OfMetric> metrics_;
  FilledGroup rows_;
  std::uint64_t next_row_ = 0;
  std::uint64_t first_row_ = 0;
  std::int64_t with_result_ = 0;
  bool has_point_ = false;
};

}  // namespace pimsweep::results
