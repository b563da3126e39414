#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "results/data_frame.h"
#include "results/frame_reader.h"
#include "results/hdf5_handle.h"

namespace pimsweep::results {

/// Machines of a study from `first` to before `last`. 0 is that of the hardware file, the others are drawn
/// (`[study.uncertainty]`).
struct MachineRange {
  std::size_t first = 0;
  std::size_t last = 1;
};

/// The points and tables of a study, read machine by machine, in memory that does not grow with their number but for a
/// few bytes for each point.
class MachineReader {
 public:
  /// As many machines are read at a time as take about `block_bytes`, but one at least. Throws InputError if the file
  /// is missing or damaged, or numbers its machines wrongly.
  MachineReader(const std::string& results_file, const std::string& study,
                std::size_t block_bytes = std::size_t{128} << 20U);

  /// That of the hardware file and the drawn ones.
  std::size_t machines() const { return machines_; }

  /// Gets a machine and its rows, in the order of the file. Constants that do not vary on one machine separate no rows
  /// there (`follows_hardware`).
  using Use = std::function<void(std::size_t machine, const DataFrame& frame)>;
  /// Calls `use` with the points of each machine of a range, in ascending order.
  void read_points(const MachineRange& machines, const Wanted& wanted, const Use& use);
  /// The same with the rows of a detail table, of which columns are `wanted`. Each row is joined with the columns that
  /// are wanted `of_points`; where both have a column, the table's own counts.
  void read_table(const std::string& table, const MachineRange& machines, const Wanted& wanted, const Wanted& of_points,
                  const Use& use);

 private:
  struct Table {
    FrameReader rows;
    /// The first row of each point, and the number of rows.
    std::vector<std::uint64_t> first_rows;
  };
  Table& table_named(const std::string& name);
  bool is_drawn() const { return !machine_of_point_.empty(); }
  /// The points of some machines.
  std::vector<RowRange> points_of(const MachineRange& machines) const;
  /// Divides a range so that frames with rows of `row_bytes`, of `rows` in the whole study, fit into memory.
  std::vector<MachineRange> blocks_of(const MachineRange& machines, std::uint64_t rows, std::size_t row_bytes) const;
  /// Calls `use` with the part of each machine.
  void divide(const DataFrame& block, const std::vector<std::size_t>& machine_of_row, const MachineRange& machines,
              const Use& use) const;

  std::string path_;
  std::string study_;
  std::size_t block_bytes_;
  Hdf5Handle file_;
  FrameReader points_;
  std::size_t machines_ = 1;
  /// Empty if no machine was drawn.
  std::vector<std::uint32_t> machine_of_point_;
  std::map<std::string, Table> tables_;
};

}  // namespace pimsweep::results
