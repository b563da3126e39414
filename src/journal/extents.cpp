#include "journal/extents.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace pimsweep::journal {

namespace {

constexpr std::size_t extents_per_read = 4096;

void check(bool good) {
  if (!good) throw std::system_error(errno, std::generic_category(), "cannot sort results in a temporary file");
}

}  // namespace

void ExtentSorter::add(const Extent& extent) {
  if (extents_.size() >= in_memory_) spill();
  extents_.push_back(extent);
}

void ExtentSorter::spill() {
  std::sort(extents_.begin(), extents_.end());
  if (!file_) file_.reset(std::tmpfile());
  check(file_ != nullptr && std::fseek(file_.get(), 0, SEEK_END) == 0 &&
        std::fwrite(extents_.data(), sizeof(Extent), extents_.size(), file_.get()) == extents_.size());
  block_ends_.push_back((block_ends_.empty() ? 0 : block_ends_.back()) + extents_.size());
  extents_.clear();
}

ExtentSorter::Cursor ExtentSorter::read() {
  std::sort(extents_.begin(), extents_.end());
  Cursor cursor;
  cursor.file_ = file_.get();
  std::uint64_t begin = 0;
  for (const std::uint64_t end : block_ends_) {
    cursor.blocks_.push_back({begin, end, {}, 0});
    begin = end;
  }
  cursor.blocks_.push_back({0, 0, extents_, 0});
  return cursor;
}

bool ExtentSorter::Cursor::fill(Block& block) {
  if (block.taken < block.buffer.size()) return true;
  if (block.next >= block.end) return false;
  block.buffer.resize(static_cast<std::size_t>(std::min<std::uint64_t>(extents_per_read, block.end - block.next)));
  check(std::fseek(file_, static_cast<long>(block.next * sizeof(Extent)), SEEK_SET) == 0 &&
        std::fread(block.buffer.data(), sizeof(Extent), block.buffer.size(), file_) == block.buffer.size());
  block.next += block.buffer.size();
  block.taken = 0;
  return true;
}

const Extent* ExtentSorter::Cursor::peek() {
  if (!lowest_) {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (!fill(blocks_[i])) continue;
      if (!lowest_ || blocks_[i].buffer[blocks_[i].taken] < blocks_[*lowest_].buffer[blocks_[*lowest_].taken])
        lowest_ = i;
    }
  }
  return lowest_ ? &blocks_[*lowest_].buffer[blocks_[*lowest_].taken] : nullptr;
}

void ExtentSorter::Cursor::take() {
  if (peek() == nullptr) return;
  ++blocks_[*lowest_].taken;
  lowest_.reset();
}

}  // namespace pimsweep::journal
