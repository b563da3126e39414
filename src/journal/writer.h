#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/posix_file.h"
#include "journal/journal.h"

namespace pimsweep::journal {

/// Appends results to the journal of a rank. A point counts as done once flush() has passed its bytes to the kernel:
/// from then on it survives a crash of the process, and after the next sync() a crash of the machine. A failed write is
/// a std::system_error that names the file.
class Writer {
 public:
  using Clock = std::chrono::steady_clock;

  Writer(const std::string& path, const Header& header);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Flushes when the buffer reaches 64 KiB, or when `now` is 10 ms after the last flush.
  void append(const Entry& entry, Clock::time_point now);
  /// Bytes that the kernel has been given.
  std::uint64_t written() const { return written_; }
  /// Passes everything appended so far to the kernel.
  void flush();
  /// Writes everything flushed so far to disk. May be called from another thread.
  void sync();
  /// Flushes and syncs.
  void close();

  /// For a signal handler of a fatal signal inside a point: writes the buffer, then a record of the death. Does not
  /// allocate or throw.
  void last_words(std::uint64_t index, std::string_view cause) noexcept;

 private:
  void begin_frame(FrameKind kind);
  void seal() noexcept;

  PosixFile file_;
  std::string buffer_;
  /// Offset of the open frame in the buffer, if one is open.
  std::size_t frame_ = no_frame;
  static constexpr std::size_t no_frame = ~std::size_t{0};
  /// First point and number of points of the open frame.
  std::uint64_t first_ = 0;
  std::uint32_t count_ = 0;
  std::uint64_t written_ = 0;
  Clock::time_point last_flush_;
  std::atomic<bool> unsynced_ = false;
};

}  // namespace pimsweep::journal
