#include "results/study_encoder.h"

#include <algorithm>

#include "results/chunk_encoder.h"
#include "results/column_info.h"
#include "results/encoded_block.h"
#include "results/study_groups.h"

namespace pimsweep::results {

namespace {

/// Adds a point. A run that has enough rows to be worth a search for its place ends.
void add_to(std::vector<TableRun>& runs, std::uint64_t rows) {
  constexpr std::uint64_t full = block_rows / 4;
  if (runs.empty() || runs.back().rows >= full) runs.emplace_back();
  ++runs.back().points;
  runs.back().rows += rows;
}

}  // namespace

struct StudyEncoder::Parts {
  explicit Parts(StudyView& of) : study(of), groups(of), points(groups.points), seconds(groups.seconds) {
    for (std::size_t i = 0; i < study.inputs().size(); ++i) {
      if (!study.inputs()[i].constant) varying_inputs.push_back(i);
    }
  }

  void encode_points(const BlockTask& task, EncodedTask& done);
  void encode_table(const BlockTask& task, EncodedTask& done);
  void push_point();
  std::uint64_t rows_of(std::size_t table) const;

  StudyView& study;
  StudyGroups groups;
  ChunkEncoder encoder;
  GroupCells points;
  GroupCells seconds;
  /// Those that are stored for each point.
  std::vector<std::size_t> varying_inputs;
  StudyView::Row row;
};

StudyEncoder::StudyEncoder(StudyView& study) : parts_(std::make_unique<Parts>(study)) {}

StudyEncoder::~StudyEncoder() = default;

EncodedTask StudyEncoder::encode(const BlockTask& task) {
  EncodedTask done;
  if (task.kind == BlockTask::Kind::points)
    parts_->encode_points(task, done);
  else
    parts_->encode_table(task, done);
  return done;
}

std::uint64_t StudyEncoder::Parts::rows_of(std::size_t table) const {
  return row.record.tables[table].size() / study.schema().tables[table].columns.size();
}

void StudyEncoder::Parts::push_point() {
  for (const std::size_t i : varying_inputs) points[groups.first_input + i].push(*row.inputs[i]);
  for (std::size_t i = 0; i < row.record.metrics.size(); ++i)
    points[groups.first_metric + i].push(row.record.metrics[i]);
  points[groups.status].push(static_cast<std::int8_t>(row.record.status));
  points[groups.message].push(std::string_view(row.record.message));
  points[groups.identity].push(static_cast<std::int64_t>(row.identity.high));
  points[groups.identity + 1].push(static_cast<std::int64_t>(row.identity.low));
}

void StudyEncoder::Parts::encode_points(const BlockTask& task, EncodedTask& done) {
  const std::uint64_t first = task.first_block * block_rows;
  const std::uint64_t last = std::min(first + block_rows, study.size());
  std::vector<std::vector<TableRun>> runs(groups.tables.size());
  for (std::uint64_t point = first; point < last; ++point) {
    study.row(point, row);
    push_point();
    points.end_row(point);
    seconds[1].push(row.seconds);
    seconds.end_row(point);
    for (std::size_t table = 0; table < runs.size(); ++table) add_to(runs[table], rows_of(table));
  }
  std::vector<GroupLayout> layouts = task.layouts;
  points.encode(layouts.at(0), encoder, done.body);
  seconds.encode(layouts.at(1), encoder, done.body);
  append_layouts(layouts, done.head);
  append_count(done.head, runs.size());
  for (const std::vector<TableRun>& of_table : runs) {
    append_count(done.head, of_table.size());
    for (const TableRun& run : of_table) {
      append_count(done.head, run.points);
      append_count(done.head, run.rows);
    }
  }
}

void StudyEncoder::Parts::encode_table(const BlockTask& task, EncodedTask& done) {
  const std::size_t columns = study.schema().tables.at(task.table).columns.size();
  GroupCells cells(groups.tables[task.table]);
  GroupLayout layout = task.layouts.at(0);
  std::uint64_t left = task.blocks;
  std::uint64_t skipped = task.skipped_rows;
  std::uint64_t number = task.first_block * block_rows;
  const auto end_block = [&] {
    cells.encode(layout, encoder, done.body);
    --left;
  };
  for (std::uint64_t point = task.first_point; left > 0 && point < study.size(); ++point) {
    study.row(point, row);
    const std::vector<Value>& values = row.record.tables[task.table];
    const std::uint64_t rows = rows_of(task.table);
    for (std::uint64_t i = std::min(skipped, rows); left > 0 && i < rows; ++i) {
      cells[1].push(static_cast<std::int64_t>(point));
      for (std::size_t column = 0; column < columns; ++column) cells[2 + column].push(values[i * columns + column]);
      cells.end_row(number++);
      if (cells.rows() == block_rows) end_block();
    }
    skipped -= std::min(skipped, rows);
  }
  if (left > 0) end_block();
  append_layouts({layout}, done.head);
  append_count(done.head, 0);
}

}  // namespace pimsweep::results
