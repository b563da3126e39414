#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

namespace pimsweep::journal {

/// Location of a journal frame, which holds the results of consecutive points.
struct Extent {
  std::uint64_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t journal = 0;
  std::uint64_t offset = 0;
  friend auto operator<=>(const Extent&, const Extent&) = default;
};

/// Reads extents in ascending order.
class ExtentCursor {
 public:
  virtual ~ExtentCursor() = default;
  /// The next extent, without consuming it; nullptr at the end.
  virtual const Extent* peek() = 0;
  virtual void take() = 0;
};

/// Sorts any number of extents by their first points (external merge sort): beyond a limit, sorted blocks go to a
/// temporary file.
class ExtentSorter {
 public:
  explicit ExtentSorter(std::size_t in_memory = 1U << 19) : in_memory_(in_memory) {}

  void add(const Extent& extent);
  std::uint64_t count() const { return extents_.size() + (block_ends_.empty() ? 0 : block_ends_.back()); }

  /// Reads the extents in sorted order. The sorter must not change meanwhile.
  class Cursor final : public ExtentCursor {
   public:
    const Extent* peek() override;
    void take() override;

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

}  // namespace pimsweep::journal
