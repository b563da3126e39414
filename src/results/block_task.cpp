#include "results/block_task.h"

#include <stdexcept>

namespace pimsweep::results {

namespace {

std::vector<GroupLayout> read_layouts(ByteReader& reader) {
  std::vector<GroupLayout> layouts;
  const std::uint64_t count = reader.count();
  for (std::uint64_t i = 0; i < count && !reader.failed(); ++i) layouts.push_back(read_layout(reader));
  return layouts;
}

}  // namespace

void append_layouts(const std::vector<GroupLayout>& layouts, std::string& bytes) {
  append_count(bytes, layouts.size());
  for (const GroupLayout& layout : layouts) append_layout(layout, bytes);
}

std::string to_bytes(const BlockTask& task) {
  std::string bytes;
  bytes.push_back(static_cast<char>(task.kind));
  append_number(bytes, task.study);
  append_number(bytes, task.table);
  append_number(bytes, task.first_block);
  append_number(bytes, task.blocks);
  append_number(bytes, task.first_point);
  append_number(bytes, task.skipped_rows);
  append_layouts(task.layouts, bytes);
  return bytes;
}

BlockTask block_task_from(std::string_view bytes) {
  ByteReader reader(bytes);
  BlockTask task;
  task.kind = static_cast<BlockTask::Kind>(reader.number<std::uint8_t>());
  task.study = reader.number<std::uint32_t>();
  task.table = reader.number<std::uint32_t>();
  task.first_block = reader.number<std::uint64_t>();
  task.blocks = reader.number<std::uint64_t>();
  task.first_point = reader.number<std::uint64_t>();
  task.skipped_rows = reader.number<std::uint64_t>();
  task.layouts = read_layouts(reader);
  if (reader.failed()) throw std::runtime_error("received a malformed task");
  return task;
}

TaskHead read_task_head(std::string_view head) {
  ByteReader reader(head);
  TaskHead read;
  read.layouts = read_layouts(reader);
  const std::uint64_t tables = reader.count();
  for (std::uint64_t table = 0; table < tables && !reader.failed(); ++table) {
    std::vector<TableRun>& runs = read.table_runs.emplace_back();
    const std::uint64_t count = reader.count();
    for (std::uint64_t i = 0; i < count && !reader.failed(); ++i) {
      const std::uint64_t points = reader.count();
      runs.push_back({points, reader.count()});
    }
  }
  if (reader.failed()) throw std::runtime_error("the head of encoded results is damaged");
  return read;
}

}  // namespace pimsweep::results
