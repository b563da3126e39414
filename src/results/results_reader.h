#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "journal/journal.h"

namespace pimsweep::results {

/// The ids of the studies of a results file, sorted. Throws InputError if the file is missing, damaged or no results
/// file.
std::vector<std::string> study_ids(const std::string& results_file);

/// The schema of the system that evaluated a study, as far as the file has it: name, version, and names, units and
/// types of axes, metrics and tables, in the order of the schema.
systems::Schema stored_schema(const std::string& results_file, const std::string& study);

/// A study of a results file, read point by point in bounded memory. Points may be read in any order; in ascending
/// order each block of the file is read once.
class StudyReader {
 public:
  /// Reads axes, metrics and tables of `schema`, which must be columns of the study.
  StudyReader(const std::string& results_file, const std::string& study, const systems::Schema& schema);
  ~StudyReader();

  std::uint64_t size() const;
  /// Reads the stored result of a point. Throws InputError if the file is damaged.
  void read(std::uint64_t point, journal::Entry& entry);
  /// Reads the value of each axis, in the schema's order.
  void read_axes(std::uint64_t point, std::vector<Value>& axes);

 private:
  struct Columns;
  std::unique_ptr<Columns> columns_;
};

/// An attribute of the group `provenance`; empty if the file has none of that name. Throws InputError if the file
/// cannot be read.
std::string stored_provenance(const std::string& results_file, const char* name);

/// Number of points of a study with each Status. Throws InputError if the file cannot be read.
std::array<std::uint64_t, 5> stored_status_counts(const std::string& results_file, const std::string& study);

/// Calls `use` with a journal entry for every point of a results file that has a result (any status but not_run).
/// `schema_of` returns the schema of a system by name, or null for an unknown system. Studies of unknown systems, and
/// of systems whose metrics or tables have changed, are skipped. Throws InputError if the file cannot be read.
void for_each_result(const std::string& results_file,
                     const std::function<const systems::Schema*(std::string_view)>& schema_of,
                     const std::function<void(const journal::Entry&)>& use);

}  // namespace pimsweep::results
