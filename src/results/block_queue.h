#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "results/block_task.h"
#include "results/column_info.h"
#include "results/study_view.h"

namespace pimsweep::results {

/// Takes the blocks of a study in the order in which they are written: those of the points, then those of each table.
class BlockSink {
 public:
  virtual ~BlockSink() = default;
  virtual void begin(std::size_t study) = 0;
  virtual void place_points(std::size_t study, std::string_view body) = 0;
  virtual void place_table(std::size_t study, std::size_t table, std::uint64_t blocks, std::string_view body) = 0;
  virtual void end(std::size_t study) = 0;
};

/// The blocks of all studies of a results file: hands out tasks in the order in which their blocks are written, takes
/// them back in any order, and passes them on in the first one, so that a file does not depend on who encoded what.
class BlockQueue {
 public:
  /// Where the encoded blocks of a task are until they can be written.
  using Load = std::function<std::string()>;

  /// Both references must outlive the queue.
  BlockQueue(const std::vector<std::unique_ptr<StudyView>>& studies, BlockSink& sink);

  /// The next task, if there is one that does not wait for the result of another: the first block of a study or table
  /// decides how the others are stored, and the points say where the rows of tables are. `is_urgent`: only of the study
  /// that is written now.
  std::optional<BlockTask> next(bool is_urgent);
  /// Takes the result of a task.
  void put(const BlockTask& task, std::string_view head, Load body);
  /// Results that wait until those before them are there.
  std::size_t waiting() const { return waiting_.size(); }
  bool is_complete() const { return due_ == studies_.size(); }
  StudyView& study(std::size_t number) const { return *studies_[number].view; }

 private:
  struct TableState {
    /// Runs of each block of points, while not all are there.
    std::vector<std::vector<TableRun>> runs_of_blocks;
    struct Place {
      std::uint64_t first_point = 0;
      std::uint64_t rows_before = 0;
    };
    std::vector<Place> places;
    std::uint64_t blocks = 0;
    std::uint64_t assigned = 0;
    std::uint64_t placed = 0;
    GroupLayout layout;
  };
  struct StudyState {
    StudyView* view = nullptr;
    std::uint64_t blocks = 0;
    std::uint64_t assigned = 0;
    std::uint64_t received = 0;
    std::uint64_t placed = 0;
    std::vector<GroupLayout> layouts{2};
    std::vector<TableState> tables;
  };
  /// Study, 0 for points or 1 + table, and first block.
  using Key = std::tuple<std::size_t, std::size_t, std::uint64_t>;
  struct Waiting {
    std::uint64_t blocks = 0;
    Load load;
  };

  std::optional<BlockTask> next_of(std::size_t number);
  static BlockTask table_task(TableState& state);
  static void locate_rows(TableState& state);
  void take_points(StudyState& state, const BlockTask& task, TaskHead head);
  bool place_next();

  std::vector<StudyState> studies_;
  BlockSink& sink_;
  std::map<Key, Waiting> waiting_;
  /// The study that is written now.
  std::size_t due_ = 0;
  bool has_begun_ = false;
};

}  // namespace pimsweep::results
