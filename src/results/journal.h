#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/hash.h"
#include "systems/system.h"

namespace pimsweep::results {

// A journal is one rank's own append-only file: a line that names the format, then frames. A frame is the length and
// the checksum of its payload (32 bits each), then the payload, whose first byte tells its kind. docs/driver.md.

/// Says in the journal's first frame whose results follow: lines of "key value".
struct JournalHeader {
  std::string experiment;
  /// Absolute path of the experiment file, and the options that it was read with: enough to merge the journal later.
  std::string experiment_file;
  std::vector<std::string> studies;
  std::vector<std::string> overrides;
  Hash128 plan;
  std::string host;
  int rank = 0;
  std::int64_t pid = 0;
  /// Seconds since 1970.
  std::int64_t started = 0;
};

/// One evaluated point as it stands in a journal.
struct JournalEntry {
  Hash128 identity;
  /// How long the evaluation took.
  double seconds = 0;
  systems::Record record;
  /// The point's number in the plan that the journal belongs to.
  std::uint64_t index = 0;
};

/// A rank that died while it evaluated a point.
struct JournalDeath {
  std::uint64_t index = 0;
  std::string cause;
};

/// The folder of an output's journals: "<output>.journal".
std::string journal_folder(const std::string& output);

/// The journal files of a folder (or the file itself), sorted by name.
std::vector<std::string> journal_files(const std::string& folder_or_file);

/// True for a status that a resumed run keeps: what failed is evaluated again.
bool is_result(systems::Status status);

}  // namespace pimsweep::results
