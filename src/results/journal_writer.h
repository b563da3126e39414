#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/posix_file.h"
#include "results/journal.h"

namespace pimsweep::results {

/// Appends results to a rank's own file. A point counts as done only once flush() has handed its bytes to the kernel;
/// from then on it survives the death of the process, and after the next sync() that of the machine. Every failure to
/// write is a std::system_error that names the file.
class JournalWriter {
 public:
  using Clock = std::chrono::steady_clock;

  JournalWriter(const std::string& path, const JournalHeader& header);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  /// Flushes by itself when 64 KiB have come together or, judged by `now`, 10 ms have passed.
  void append(const JournalEntry& entry, Clock::time_point now);
  void append_death(const JournalDeath& death);
  /// Hands everything appended so far to the kernel.
  void flush();
  /// Makes what was flushed survive the loss of the machine. May be called from another thread.
  void sync();
  /// Flushes and syncs.
  void close();

  /// For a signal handler, when the process is about to die inside a point: hands over what there is, then notes the
  /// death. Allocates nothing, throws nothing.
  void last_words(std::uint64_t index, std::string_view cause) noexcept;

 private:
  void begin_frame(char kind);
  void seal() noexcept;

  PosixFile file_;
  std::string buffer_;
  /// Where the open frame begins in the buffer, if one is open.
  std::size_t frame_ = no_frame;
  static constexpr std::size_t no_frame = ~std::size_t{0};
  /// The open frame's first point and number of points.
  std::uint64_t first_ = 0;
  std::uint32_t count_ = 0;
  Clock::time_point last_flush_;
  std::atomic<bool> unsynced_ = false;
};

}  // namespace pimsweep::results
