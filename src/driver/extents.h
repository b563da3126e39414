#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

namespace pimsweep::driver {

/// Where the results of consecutive points stand: a frame of a journal.
struct Extent {
  std::uint64_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t journal = 0;
  std::uint64_t offset = 0;
  friend auto operator<=>(const Extent&, const Extent&) = default;
};

/// Extents in the order of their first points, however many there are: beyond a limit they are sorted in blocks in a
/// temporary file.
class ExtentSorter {
 public:
  explicit ExtentSorter(std::size_t in_memory = 1U << 19) : in_memory_(in_memory) {}

  void add(const Extent& extent);
  std::uint64_t count() const { return extents_.size() + (block_ends_.empty() ? 0 : block_ends_.back()); }

  /// Reads them in order. The sorter must not change meanwhile.
  class Cursor {
   public:
    /// The next extent, without taking it; null at the end.
    const Extent* peek();
    void take();

   private:
    friend class ExtentSorter;
    struct Block {
      std::uint64_t next = 0;
      std::uint64_t end = 0;
      std::vector<Extent> buffer;
      std::size_t taken = 0;
    };
    bool fill(Block& block);
    std::FILE* file_ = nullptr;
    std::vector<Block> blocks_;
    std::optional<std::size_t> lowest_;
  };
  Cursor read();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void spill();

  std::size_t in_memory_;
  std::vector<Extent> extents_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  /// End of each sorted block of the file, in extents.
  std::vector<std::uint64_t> block_ends_;
};

}  // namespace pimsweep::driver
