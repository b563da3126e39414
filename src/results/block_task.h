#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "results/block_layout.h"

namespace pimsweep::results {

/// Consecutive points, and how many rows of a table they have together: a reader of a table's later rows need not begin
/// at the study's first point.
struct TableRun {
  std::uint64_t points = 0;
  std::uint64_t rows = 0;
};

/// Blocks of a study's columns to be encoded, by any process that has the study.
struct BlockTask {
  enum class Kind : std::uint8_t { points, table };
  Kind kind = Kind::points;
  std::uint32_t study = 0;
  /// Of a table: its number in the schema.
  std::uint32_t table = 0;
  /// The blocks, of block_rows rows each; one, if the rows are points.
  std::uint64_t first_block = 0;
  std::uint64_t blocks = 1;
  /// The point at which the reader of a table begins, and how many rows it passes over from there.
  std::uint64_t first_point = 0;
  std::uint64_t skipped_rows = 0;
  /// Of the points and of their seconds, or of the table. If they are not decided, the task has the first block.
  std::vector<GroupLayout> layouts;
};

std::string to_bytes(const BlockTask& task);
/// Throws std::runtime_error if the bytes are damaged.
BlockTask block_task_from(std::string_view bytes);

/// Appends layouts as they stand at the front of a head.
void append_layouts(const std::vector<GroupLayout>& layouts, std::string& bytes);

/// What a task gives.
struct EncodedTask {
  /// The layouts, and of points how many rows of tables they have: some hundred bytes.
  std::string head;
  /// The encoded blocks.
  std::string body;
};

/// What is in the head of a task that was done.
struct TaskHead {
  std::vector<GroupLayout> layouts;
  /// Of points: of each table, where their rows are.
  std::vector<std::vector<TableRun>> table_runs;
};

/// Throws std::runtime_error if the head is damaged.
TaskHead read_task_head(std::string_view head);

}  // namespace pimsweep::results
