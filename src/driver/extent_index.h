#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/posix_file.h"
#include "journal/extents.h"
#include "journal/index.h"

namespace pimsweep::driver {

/// The sorted extents of a plan's journals in a temporary file, which all ranks can read: whoever encodes some points
/// begins where theirs are. The file is removed with the object.
class ExtentIndex {
 public:
  /// Writes the file. Throws std::system_error.
  ExtentIndex(journal::Index& journals, std::string path, std::uint64_t points);
  ~ExtentIndex();
  ExtentIndex(const ExtentIndex&) = delete;
  ExtentIndex& operator=(const ExtentIndex&) = delete;

  const std::string& path() const { return path_; }
  /// The first extent that a reader of the points from `point` on needs.
  std::uint64_t position(std::uint64_t point) const;

 private:
  void write(journal::Index& journals);
  void note(const journal::Extent& extent, std::uint64_t number);

  std::string path_;
  /// For each group of points, the first extent with one of them or a later one.
  std::vector<std::uint64_t> first_;
};

/// Reads such a file.
class ExtentIndexReader {
 public:
  /// Throws std::system_error or std::runtime_error if it cannot be read.
  explicit ExtentIndexReader(const std::string& path);

  /// Paths of the journals, by the numbers that extents give them.
  const std::vector<std::string>& journals() const { return journals_; }
  /// The extents from a position on. The reader must outlive the cursor.
  std::unique_ptr<journal::ExtentCursor> read(std::uint64_t position) const;

 private:
  class Cursor;

  PosixFile file_;
  std::vector<std::string> journals_;
  std::uint64_t begin_ = 0;
};

}  // namespace pimsweep::driver
