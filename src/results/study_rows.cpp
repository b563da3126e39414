#include "results/study_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/statistics.h"

namespace pimsweep::results {

namespace {

/// The rows of a group on their way into blocks.
class GroupRows {
 public:
  GroupRows(std::size_t number, const GroupInfo& info, const TakeBlock& take)
      : number_(number), info_(info), take_(take), block_(info) {}

  ColumnCells& operator[](std::size_t column) { return block_.columns[column]; }
  void end_row() {
    block_.end_row(rows_++);
    if (block_.rows == block_rows) take_(number_, std::exchange(block_, Block(info_)));
  }
  void finish() {
    block_.is_last = true;
    take_(number_, std::move(block_));
  }

 private:
  std::size_t number_;
  const GroupInfo& info_;
  const TakeBlock& take_;
  Block block_;
  std::uint64_t rows_ = 0;
};

/// Quantiles of the metrics of each point over the sampled machines. The rows of one point's machines follow each
/// other, machine 0, that of the hardware file, first.
class Bands {
 public:
  Bands(const systems::Schema& schema, GroupRows& rows) : rows_(rows) {
    for (std::size_t i = 0; i < schema.metrics.size(); ++i) {
      if (schema.metrics[i].type != ValueType::text) metrics_.push_back({i, {}});
    }
  }

  void add(std::uint64_t point, std::int64_t machine, const systems::Record& record) {
    if (machine == 0) {
      end_point();
      point_ = static_cast<std::int64_t>(point);
      return;
    }
    if (record.status != systems::Status::ok) return;
    ++with_result_;
    for (OfMetric& of : metrics_) {
      const double number = to_real(record.metrics[of.metric]);
      if (!std::isnan(number)) of.numbers.push_back(number);
    }
  }

  void end_point() {
    if (point_ < 0) return;
    std::size_t column = 1;
    rows_[column++].push(point_);
    rows_[column++].push(std::exchange(with_result_, 0));
    for (OfMetric& of : metrics_) {
      std::ranges::sort(of.numbers);
      for (const double share : {low_share, 0.5, high_share}) {
        rows_[column++].push(of.numbers.empty() ? std::numeric_limits<double>::quiet_NaN()
                                                : quantile(of.numbers, share));
      }
      of.numbers.clear();
    }
    rows_.end_row();
  }

 private:
  struct OfMetric {
    std::size_t metric;
    /// Numbers of the sampled machines that have one.
    std::vector<double> numbers;
  };
  GroupRows& rows_;
  std::vector<OfMetric> metrics_;
  std::int64_t point_ = -1;
  std::int64_t with_result_ = 0;
};

void push_table(const systems::Table& table, std::uint64_t point, const std::vector<Value>& cells, GroupRows& rows) {
  const std::size_t columns = table.columns.size();
  for (std::size_t cell = 0; cell + columns <= cells.size(); cell += columns) {
    rows[1].push(static_cast<std::int64_t>(point));
    for (std::size_t column = 0; column < columns; ++column) rows[2 + column].push(cells[cell + column]);
    rows.end_row();
  }
}

void push_point(const StudyGroups& groups, const std::vector<std::size_t>& varying_inputs, const StudyView::Row& row,
                GroupRows& points) {
  for (const std::size_t i : varying_inputs) points[StudyGroups::first_input + i].push(*row.inputs[i]);
  for (std::size_t i = 0; i < row.record.metrics.size(); ++i)
    points[groups.first_metric + i].push(row.record.metrics[i]);
  points[groups.status].push(static_cast<std::int8_t>(row.record.status));
  points[groups.message].push(std::string_view(row.record.message));
  points[groups.identity].push(static_cast<std::int64_t>(row.identity.high));
  points[groups.identity + 1].push(static_cast<std::int64_t>(row.identity.low));
  points.end_row();
}

}  // namespace

void fill_blocks(StudyView& study, const StudyGroups& groups, const TakeBlock& take) {
  std::vector<GroupRows> rows;
  for (std::size_t i = 0; i < groups.groups.size(); ++i) rows.emplace_back(i, groups.groups[i], take);
  for (std::size_t i = 0; i < study.tables().size(); ++i) {
    const FilledTable& filled = study.tables()[i];
    for (const FilledTable::Row& row : filled.rows)
      push_table(filled.table, row.point, row.cells, rows[groups.first_filled + i]);
  }
  std::vector<std::size_t> varying_inputs;
  for (std::size_t i = 0; i < study.inputs().size(); ++i) {
    if (!study.inputs()[i].constant) varying_inputs.push_back(i);
  }
  const systems::Schema& schema = study.schema();
  const bool has_bands = groups.bands < rows.size();
  Bands bands(schema, rows[has_bands ? groups.bands : StudyGroups::points]);
  StudyView::Row row;
  for (std::uint64_t point = 0; point < study.size(); ++point) {
    study.row(point, row);
    push_point(groups, varying_inputs, row, rows[StudyGroups::points]);
    rows[StudyGroups::seconds][1].push(row.seconds);
    rows[StudyGroups::seconds].end_row();
    for (std::size_t table = 0; table < schema.tables.size(); ++table)
      push_table(schema.tables[table], point, row.record.tables[table], rows[StudyGroups::first_table + table]);
    if (has_bands) bands.add(point, std::get<std::int64_t>(*row.inputs[groups.draw_input]), row.record);
  }
  if (has_bands) bands.end_point();
  for (GroupRows& group : rows) group.finish();
}

}  // namespace pimsweep::results
