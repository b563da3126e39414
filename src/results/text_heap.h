#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "results/hdf5_handle.h"

namespace pimsweep::results {

/// Where a text stands in a file's global heap. A dataset of variable-length strings holds one of these for each row;
/// all zero is the empty text. HDF5 file format specification, "Disk Format: Level 1E - Global Heap" and
/// "Variable-length data".
struct TextReference {
  static constexpr std::size_t stored_bytes = 16;
  std::uint32_t length = 0;
  std::uint32_t index = 0;
  std::uint64_t address = 0;
  /// Length, address, index.
  void store(char* bytes) const;
  static TextReference load(const char* bytes);
};

/// Puts texts into a file's global heap. HDF5 itself would store a text anew for every row that has it: 48 bytes and
/// half a microsecond for each.
class TextHeap {
 public:
  explicit TextHeap(hid_t file);
  static constexpr std::size_t capacity = 4096;
  /// Stores at most `capacity` texts that end in NUL.
  void put(const std::vector<const char*>& texts, std::vector<TextReference>& references);

 private:
  /// A dataset without name, gone when the file is closed: HDF5 puts the texts written to it into the heap.
  Hdf5Handle scratch_;
  std::string raw_;
};

/// The references of one block of rows. Among the texts met last, one that comes again is not stored again.
class TextBlock {
 public:
  explicit TextBlock(TextHeap& heap) : heap_(heap), recent_(1024) {}
  /// `hash` is that of the text.
  void push(std::string_view text, const Hash128& hash);
  std::size_t rows() const { return rows_.size(); }
  bool all_empty() const { return all_empty_; }
  /// The references as the file holds them, filled up with empty texts to `chunk_rows`; empties the block.
  std::string take(std::size_t chunk_rows);

 private:
  struct Recent {
    Hash128 hash;
    TextReference reference;
  };
  static TextReference pending(std::size_t number);
  bool is_pending(const TextReference& reference) const;
  void store_pending();

  TextHeap& heap_;
  std::vector<TextReference> rows_;
  bool all_empty_ = true;
  /// Each hash has one place; a later text takes the place of an earlier one.
  std::vector<Recent> recent_;
  /// Texts that are not in the heap yet, one after another, where each begins, and its place in recent_.
  std::string pending_bytes_;
  std::vector<std::size_t> pending_starts_;
  std::vector<std::size_t> pending_places_;
  /// Rows before this one have references into the heap.
  std::size_t first_pending_row_ = 0;
  std::vector<TextReference> stored_;
};

}  // namespace pimsweep::results
