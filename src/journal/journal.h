#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "systems/system.h"

namespace pimsweep::journal {

// A journal is the append-only file of one rank: a line with the format, then frames. A frame is the length and the
// checksum of its payload (32 bits each), then the payload, whose first byte is the kind (docs/results-format.md).

inline constexpr std::string_view magic = "pimsweep journal 2\n";
/// The number in it.
inline constexpr std::string_view version = magic.substr(magic.rfind(' ') + 1, magic.size() - magic.rfind(' ') - 2);
/// Length and checksum of the payload.
inline constexpr std::size_t frame_head = 8;

/// The first byte of a payload.
enum class FrameKind : char {
  header = 'h',   ///< Header as text
  results = 'r',  ///< number of the first point (64 bits), number of points (32 bits), then their entries in order
  death = 'd'     ///< number of the point (64 bits), then the cause as text
};

/// Kind, first point and number of points of a results frame.
inline constexpr std::size_t results_head = 13;

/// The first frame of a journal: the run that the results belong to, as lines of "key value".
struct Header {
  std::string experiment;
  /// Absolute path of the experiment file and the options that select and change its studies: what a later merge needs.
  std::string experiment_file;
  std::vector<std::string> studies;
  std::vector<std::string> overrides;
  /// The studies of the plan, in its order.
  struct PlannedStudy {
    std::string id;
    std::uint64_t points = 0;
  };
  std::vector<PlannedStudy> plan_studies;
  Hash128 plan;
  std::string host;
  int rank = 0;
  std::int64_t pid = 0;
  /// Seconds since 1970.
  std::int64_t started = 0;
  /// --where
  std::string where{};
  /// --shard, as "2/8"; empty if not given.
  std::string shard{};
  /// --draws and --draw-method; 0 if not given.
  std::uint64_t draws = 0;
  std::string draw_method{};
  /// --draw-constants
  std::vector<std::string> draw_constants{};
};

/// One evaluated point in a journal.
struct Entry {
  Hash128 identity;
  /// Time that the evaluation took.
  double seconds = 0;
  systems::Record record;
  /// Number of the point in the plan of the journal.
  std::uint64_t index = 0;
};

/// A rank that died while it evaluated a point.
struct Death {
  std::uint64_t index = 0;
  std::string cause;
};

/// The folder of an output's journals: "<output>.journal".
std::string folder_of(const std::string& output);

/// The journal files of a folder (or the file itself), sorted by name.
std::vector<std::string> files_in(const std::string& folder_or_file);

/// True if a resumed run keeps a point of this status; failed points are evaluated again.
bool is_result(systems::Status status);

}  // namespace pimsweep::journal
