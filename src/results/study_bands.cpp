#include "results/study_bands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "results/draws.h"
#include "results/hdf5_write.h"
#include "base/statistics.h"

namespace pimsweep::results {

namespace {

double quantile_or_nan(const std::vector<double>& sorted, double share) {
  return sorted.empty() ? std::numeric_limits<double>::quiet_NaN() : quantile(sorted, share);
}

ColumnInfo column_info(const systems::Metric& metric, const char* name, const char* what) {
  return {.name = fmt::format("{}_{}", metric.name, name),
          .unit = metric.unit,
          .long_name = fmt::format("{} over the drawn machines that have it: {}", what, metric.doc),
          .source = "",
          .role = "band",
          .absent = "no drawn machine has the number"};
}

GroupInfo bands_of(const systems::Schema& schema) {
  GroupInfo group{StudyBands::group_name, "quantiles of the metrics over the drawn machines"};
  group.columns = {{"row", "1", "row of the table", "", "", ValueType::integer},
                   {"point", "1", "point of the study, on the machine of the hardware file, that the bands are of", "",
                    "", ValueType::integer},
                   {"machines", "1", "drawn machines on which the point has a result", "", "band", ValueType::integer}};
  for (const systems::Metric& metric : schema.metrics) {
    if (metric.type == ValueType::text) continue;
    group.columns.push_back(column_info(metric, "low", "5 % quantile"));
    group.columns.push_back(column_info(metric, "median", "median"));
    group.columns.push_back(column_info(metric, "high", "95 % quantile"));
  }
  return group;
}

template <typename Number>
Number cell_at(const EncodedColumn& column, std::uint64_t row) {
  Number number;
  const std::uint64_t cell = column.kind == EncodedColumn::Cells::uniform ? 0 : row;
  std::memcpy(&number, column.cells.data() + cell * sizeof number, sizeof number);
  return number;
}

}  // namespace

StudyBands::StudyBands(hid_t study, const systems::Schema& schema, const BandColumns& columns,
                       const ColumnTarget& target)
    : columns_(columns), rows_(hdf5::create_group(study, group_name), bands_of(schema), target) {
  for (std::size_t i = 0; i < schema.metrics.size(); ++i) {
    if (schema.metrics[i].type != ValueType::text) metrics_.push_back({columns.first_metric + i, {}});
  }
}

void StudyBands::add(const EncodedBlock& points) {
  const EncodedColumn& draw = points.columns[columns_.draw];
  const EncodedColumn& status = points.columns[columns_.status];
  for (std::uint64_t row = 0; row < points.rows; ++row) {
    if (cell_at<std::int64_t>(draw, row) == 0) {
      end_point();
      first_row_ = next_row_ + row;
      has_point_ = true;
      continue;
    }
    if (cell_at<std::int8_t>(status, row) != static_cast<std::int8_t>(systems::Status::ok)) continue;
    ++with_result_;
    for (OfMetric& of : metrics_) {
      const auto number = cell_at<double>(points.columns[of.metric], row);
      if (!std::isnan(number)) of.numbers.push_back(number);
    }
  }
  next_row_ += points.rows;
}

void StudyBands::end_point() {
  if (!has_point_) return;
  std::size_t column = 1;
  rows_[column++].push(static_cast<std::int64_t>(first_row_));
  rows_[column++].push(with_result_);
  with_result_ = 0;
  for (OfMetric& of : metrics_) {
    std::ranges::sort(of.numbers);
    rows_[column++].push(quantile_or_nan(of.numbers, low_share));
    rows_[column++].push(quantile_or_nan(of.numbers, 0.5));
    rows_[column++].push(quantile_or_nan(of.numbers, high_share));
    of.numbers.clear();
  }
  rows_.end_row();
}

void StudyBands::close(DataDigest& digest) {
  end_point();
  rows_.close();
  rows_.add_to(digest);
}

}  // namespace pimsweep::results
