#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "results/journal.h"

namespace pimsweep::results {

/// The ids of the studies of a results file, sorted. Throws InputError if the file is missing, damaged or not ours.
std::vector<std::string> study_ids(const std::string& results_file);

/// What a study's columns say about the system that it was evaluated with: name, version, and names, units and types of
/// axes, metrics and tables, in the order of the system's schema then.
systems::Schema stored_schema(const std::string& results_file, const std::string& study);

/// A study of a results file, read point by point in bounded memory. Points may be read in any order; in rising order
/// each block of the file is read once.
class StudyReader {
 public:
  /// Reads axes, metrics and tables of `schema`, which must be columns of the study.
  StudyReader(const std::string& results_file, const std::string& study, const systems::Schema& schema);
  ~StudyReader();

  std::uint64_t size() const;
  /// Reads what is stored of a point's result. Throws InputError if the file is damaged.
  void read(std::uint64_t point, JournalEntry& entry);
  /// Reads the value of each axis, in the schema's order.
  void read_axes(std::uint64_t point, std::vector<Value>& axes);

 private:
  struct Columns;
  std::unique_ptr<Columns> columns_;
};

/// How many points of a study have which status, by Status. Throws InputError if the file cannot be read.
std::array<std::uint64_t, 5> stored_status_counts(const std::string& results_file, const std::string& study);

/// Calls `use` for every point of a results file that has a result (any status but not_run), rebuilt as a journal
/// entry. `schema_of` gives the schema of a system by name, or null for one that is no longer known; studies of such a
/// system, and of one whose metrics or tables have changed, are passed over. Throws InputError if the file cannot be
/// read.
void for_each_result(const std::string& results_file,
                     const std::function<const systems::Schema*(std::string_view)>& schema_of,
                     const std::function<void(const JournalEntry&)>& use);

}  // namespace pimsweep::results
