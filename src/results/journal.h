#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/posix_file.h"
#include "systems/system.h"

namespace pimsweep {

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
  Record record;
};

/// Appends results to a rank's own file. A point counts as done only once flush() has handed its bytes to the kernel;
/// from then on it survives the death of the process, and after the next sync (once a second) that of the machine.
/// Every failure to write is a std::system_error that names the file.
class JournalWriter {
 public:
  JournalWriter(const std::string& path, const JournalHeader& header);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  void append(const Hash128& identity, double seconds, const Record& record);
  /// Hands everything appended so far to the kernel.
  void flush();
  /// Flushes and syncs.
  void close();

 private:
  void append_frame(std::string_view payload);
  PosixFile file_;
  std::string buffer_;
  std::string payload_;
  std::chrono::steady_clock::time_point last_flush_;
  std::chrono::steady_clock::time_point last_sync_;
};

/// A journal mapped into memory. Reads whatever is whole: a torn or damaged frame ends the reading, is counted, and
/// everything before it stays valid.
class JournalReader {
 public:
  /// Throws InputError if the file cannot be opened or is no journal.
  explicit JournalReader(const std::string& path);
  ~JournalReader();
  JournalReader(const JournalReader&) = delete;
  JournalReader& operator=(const JournalReader&) = delete;

  const JournalHeader& header() const { return header_; }

  /// Where an entry stands; valid as long as the reader lives.
  struct Location {
    Hash128 identity;
    Status status;
    std::uint64_t offset;
  };
  const std::vector<Location>& entries() const { return entries_; }
  /// Bytes at the end that are no whole frame.
  std::uint64_t damaged_bytes() const { return damaged_bytes_; }
  /// Reads an entry; false if its record is not readable.
  bool read(std::uint64_t offset, JournalEntry& entry) const;

 private:
  std::optional<std::string_view> frame_at(std::uint64_t offset) const;
  void map(const std::string& path);
  const char* data_ = nullptr;
  std::uint64_t size_ = 0;
  JournalHeader header_;
  std::vector<Location> entries_;
  std::uint64_t damaged_bytes_ = 0;
};

/// The folder of an output's journals: "<output>.journal".
std::string journal_folder(const std::string& output);

/// The journal files of a folder (or the file itself), sorted by name.
std::vector<std::string> journal_files(const std::string& folder_or_file);

}  // namespace pimsweep
