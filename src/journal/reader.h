#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/posix_file.h"
#include "journal/journal.h"

namespace pimsweep::journal {

/// Reads the entries of a results frame in order.
class EntryReader {
 public:
  EntryReader() = default;
  /// `payload` of a results frame; it must outlive the reader.
  explicit EntryReader(std::string_view payload);

  std::uint64_t first() const { return first_; }
  std::uint32_t count() const { return count_; }
  /// Reads the next entry; false at the end and if the frame is malformed.
  bool next(Entry& entry);
  /// The encoded record of the entry read last.
  std::string_view record_bytes() const { return record_bytes_; }

 private:
  std::uint64_t first_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t taken_ = 0;
  ByteReader entries_{{}};
  std::string_view record_bytes_;
};

/// Opens a journal. Throws InputError if that cannot be done, as when a run that has ended removed it.
PosixFile open_journal(const std::string& path);

/// Reads a journal from front to back through a small buffer:
///
///     Reader reader(path);
///     for (Reader::Frame frame; reader.next(frame);) {
///       if (frame.kind == FrameKind::results) use(frame.payload);
///     }
///
/// next() verifies the checksum of each frame. The first torn or damaged frame, as a killed rank leaves behind, ends
/// the reading: the frames before it are valid, and the bytes from it on are counted (damaged_bytes()). next_head() is
/// faster for complete journals, but leaves the check of payloads to read_frame().
class Reader {
 public:
  /// Throws InputError if the file cannot be opened or is not a journal of this format.
  explicit Reader(const std::string& path);

  const std::string& path() const { return path_; }
  const Header& header() const { return header_; }

  struct Frame {
    FrameKind kind{};
    std::uint64_t offset = 0;
    /// Valid until the next call.
    std::string_view payload;
  };
  /// Reads the next frame after the header; false at the end.
  bool next(Frame& frame);
  /// True if the lengths of the frames lead from one to the next up to the end of the file, and all after the header
  /// hold results: so with a journal that its writer has closed. Reads no more than their heads.
  bool leads_to_end();
  /// Reads the next frame of such a journal: of the payload only as much as EntryReader needs to say which points it
  /// holds. What is in it is checked when it is read (read_frame()).
  bool next_head(Frame& frame);
  /// Bytes at the end that are not a complete frame; known once next() has returned false.
  std::uint64_t damaged_bytes() const { return damaged_bytes_; }

 private:
  std::string_view window(std::uint64_t offset, std::size_t bytes, std::size_t at_once);

  std::string path_;
  PosixFile file_;
  std::uint64_t size_ = 0;
  std::uint64_t offset_ = 0;
  std::string buffer_;
  std::uint64_t buffer_offset_ = 0;
  Header header_;
  std::uint64_t damaged_bytes_ = 0;
};

/// Reads the payload of the frame at `offset` into `buffer`; false if the frame is not intact.
bool read_frame(const PosixFile& journal, std::uint64_t offset, std::string& buffer);

/// Decodes the payload of a death frame.
Death death_from(std::string_view payload);

}  // namespace pimsweep::journal
