#include "results/block_queue.h"

#include <algorithm>
#include <utility>

namespace pimsweep::results {

BlockQueue::BlockQueue(const std::vector<std::unique_ptr<StudyView>>& studies, BlockSink& sink) : sink_(sink) {
  for (const auto& view : studies) {
    StudyState& state = studies_.emplace_back();
    state.view = view.get();
    // A study without points has a block too, which makes its columns.
    state.blocks = std::max<std::uint64_t>(1, (view->size() + block_rows - 1) / block_rows);
    state.tables.resize(view->schema().tables.size());
    for (TableState& table : state.tables) table.runs_of_blocks.resize(state.blocks);
  }
}

std::optional<BlockTask> BlockQueue::next(bool is_urgent) {
  for (std::size_t number = due_; number < studies_.size(); ++number) {
    if (auto task = next_of(number)) return task;
    if (is_urgent) break;
  }
  return std::nullopt;
}

std::optional<BlockTask> BlockQueue::next_of(std::size_t number) {
  StudyState& state = studies_[number];
  if (state.assigned < state.blocks) {
    if (state.assigned > 0 && !state.layouts.front().is_decided()) return std::nullopt;
    BlockTask task;
    task.study = static_cast<std::uint32_t>(number);
    task.first_block = state.assigned++;
    task.layouts = state.layouts;
    return task;
  }
  if (state.received < state.blocks) return std::nullopt;
  for (std::size_t table = 0; table < state.tables.size(); ++table) {
    TableState& of_table = state.tables[table];
    if (of_table.assigned == of_table.blocks || (of_table.assigned > 0 && !of_table.layout.is_decided())) continue;
    BlockTask task = table_task(of_table);
    task.study = static_cast<std::uint32_t>(number);
    task.table = static_cast<std::uint32_t>(table);
    return task;
  }
  return std::nullopt;
}

BlockTask BlockQueue::table_task(TableState& state) {
  /// Keeps what a task gives short.
  constexpr std::uint64_t max_blocks = 16;
  const std::uint64_t row = state.assigned * block_rows;
  const auto after = std::ranges::upper_bound(state.places, row, {}, &TableState::Place::rows_before);
  const TableState::Place& place = *std::prev(after);
  BlockTask task;
  task.kind = BlockTask::Kind::table;
  task.first_block = state.assigned;
  task.first_point = place.first_point;
  task.skipped_rows = row - place.rows_before;
  task.layouts = {state.layout};
  // All blocks that begin in the same run of points: they are read once.
  const auto begins_here = [&](std::uint64_t block) {
    return block < state.blocks && (after == state.places.end() || block * block_rows < after->rows_before);
  };
  while (task.blocks < max_blocks && begins_here(task.first_block + task.blocks)) ++task.blocks;
  state.assigned += task.blocks;
  return task;
}

void BlockQueue::locate_rows(TableState& state) {
  std::uint64_t point = 0;
  std::uint64_t rows = 0;
  for (const std::vector<TableRun>& runs : state.runs_of_blocks) {
    for (const TableRun& run : runs) {
      if (run.rows > 0) state.places.push_back({point, rows});
      point += run.points;
      rows += run.rows;
    }
  }
  state.runs_of_blocks = {};
  state.blocks = (rows + block_rows - 1) / block_rows;
}

void BlockQueue::take_points(StudyState& state, const BlockTask& task, TaskHead head) {
  if (task.first_block == 0) state.layouts = std::move(head.layouts);
  for (std::size_t table = 0; table < state.tables.size(); ++table)
    state.tables[table].runs_of_blocks[task.first_block] = std::move(head.table_runs.at(table));
  if (++state.received < state.blocks) return;
  for (TableState& table : state.tables) locate_rows(table);
}

void BlockQueue::put(const BlockTask& task, std::string_view head, Load body) {
  StudyState& state = studies_[task.study];
  TaskHead read = read_task_head(head);
  const bool is_table = task.kind == BlockTask::Kind::table;
  if (!is_table)
    take_points(state, task, std::move(read));
  else if (task.first_block == 0)
    state.tables[task.table].layout = std::move(read.layouts.front());
  waiting_.emplace(Key{task.study, is_table ? 1 + task.table : 0, task.first_block},
                   Waiting{task.blocks, std::move(body)});
  while (place_next()) {
  }
}

bool BlockQueue::place_next() {
  if (is_complete()) return false;
  StudyState& state = studies_[due_];
  if (!std::exchange(has_begun_, true)) sink_.begin(due_);
  const auto table = std::ranges::find_if(state.tables, [](const TableState& one) { return one.placed < one.blocks; });
  const bool has_points_left = state.placed < state.blocks;
  if (!has_points_left && table == state.tables.end()) {
    sink_.end(due_++);
    has_begun_ = false;
    return true;
  }
  const auto number = static_cast<std::size_t>(table - state.tables.begin());
  const Key key = has_points_left ? Key{due_, 0, state.placed} : Key{due_, 1 + number, table->placed};
  const auto found = waiting_.find(key);
  if (found == waiting_.end()) return false;
  const Waiting next = std::move(found->second);
  waiting_.erase(found);
  const std::string body = next.load();
  if (has_points_left) {
    sink_.place_points(due_, body);
    ++state.placed;
  } else {
    sink_.place_table(due_, number, next.blocks, body);
    table->placed += next.blocks;
  }
  return true;
}

}  // namespace pimsweep::results
