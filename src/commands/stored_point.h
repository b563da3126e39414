#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/config_folders.h"
#include "journal/journal.h"
#include "systems/system.h"

namespace pimsweep::commands {

/// A point of a results file, as it was when the file was written.
struct StoredPoint {
  std::string file;
  std::string study;
  /// In its study.
  std::uint64_t number = 0;
  systems::Schema schema;
  /// The values of the schema's axes.
  std::vector<Value> axes;
  journal::Entry entry;
};

/// By the signature at the beginning of each HDF5 file.
bool is_results_file(const std::string& path);

/// Reads a point of the named study (at most one name), or of the file's only study. Throws InputError if there is no
/// such point, or if it was not run.
StoredPoint read_stored_point(const std::string& file, const std::vector<std::string>& studies, std::int64_t given);

/// A stored point made ready for evaluation by the current program.
struct RevivedPoint {
  std::unique_ptr<systems::System> system;
  /// The values of the system's axes.
  std::vector<Value> axes;
  /// Differences between the stored and the current axes, one sentence each.
  std::vector<std::string> changes;

  /// Points to `axes`.
  systems::Point point() const;
};

/// The definitions of models and training steps that the results file keeps come before those of the folders. Throws
/// InputError for axes without a value, and for values that an axis does not allow any more.
RevivedPoint revive(const StoredPoint& stored, const ConfigFolders& configs);

}  // namespace pimsweep::commands
