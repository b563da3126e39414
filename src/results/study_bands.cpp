#include "results/study_bands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "results/draws.h"
#include "results/hdf5_write.h"
#include "results/statistics.h"

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

}  // namespace

StudyBands::StudyBands(hid_t study, const systems::Schema& schema, TextDimensions& text_dimensions)
    : rows_(hdf5::create_group(study, group_name), {"row", "1", "row of the table", "", ""}, text_dimensions),
      point_(rows_.add({"point", "1", "point of the study, on the machine of the hardware file, that the bands are of",
                        "", "", ValueType::integer})),
      machines_(rows_.add(
          {"machines", "1", "drawn machines on which the point has a result", "", "band", ValueType::integer})) {
  hdf5::write_attribute(rows_.id(), "long_name", "quantiles of the metrics over the drawn machines");
  for (std::size_t i = 0; i < schema.metrics.size(); ++i) {
    const systems::Metric& metric = schema.metrics[i];
    if (metric.type == ValueType::text) continue;
    metrics_.push_back({i,
                        &rows_.add(column_info(metric, "low", "5 % quantile")),
                        &rows_.add(column_info(metric, "median", "median")),
                        &rows_.add(column_info(metric, "high", "95 % quantile")),
                        {}});
  }
}

void StudyBands::push(std::uint64_t row, std::int64_t machine, const systems::Record& record) {
  if (machine == 0) {
    end_point();
    first_row_ = row;
    has_point_ = true;
    return;
  }
  if (record.status != systems::Status::ok) return;
  ++with_result_;
  for (OfMetric& of : metrics_) {
    const double number = to_real(record.metrics[of.metric]);
    if (!std::isnan(number)) of.numbers.push_back(number);
  }
}

void StudyBands::end_point() {
  if (!has_point_) return;
  point_.push(static_cast<std::int64_t>(first_row_));
  machines_.push(with_result_);
  with_result_ = 0;
  for (OfMetric& of : metrics_) {
    std::ranges::sort(of.numbers);
    of.low->push(quantile_or_nan(of.numbers, low_share));
    of.median->push(quantile_or_nan(of.numbers, 0.5));
    of.high->push(quantile_or_nan(of.numbers, high_share));
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
