#include "driver/extent_index.h"

#include <unistd.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/bytes.h"

namespace pimsweep::driver {

namespace {

/// Points whose first extent is looked up together.
constexpr std::uint64_t group_points = 256;
constexpr std::uint64_t no_extent = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t extents_of_a_read = 1024;

}  // namespace

ExtentIndex::ExtentIndex(journal::Index& journals, std::string path, std::uint64_t points)
    : path_(std::move(path)), first_((points + group_points - 1) / group_points, no_extent) {
  try {
    write(journals);
  } catch (...) {
    ::unlink(path_.c_str());
    throw;
  }
  std::uint64_t next = no_extent;
  for (auto first = first_.rbegin(); first != first_.rend(); ++first) next = *first = std::min(*first, next);
}

ExtentIndex::~ExtentIndex() { ::unlink(path_.c_str()); }

void ExtentIndex::write(journal::Index& journals) {
  constexpr std::size_t flush_bytes = 1U << 18;
  PosixFile file = PosixFile::create(path_);
  std::string names;
  for (const std::string& journal : journals.paths()) append_text(names, journal);
  std::string bytes;
  append_number(bytes, std::uint64_t{names.size()});
  bytes += names;
  std::uint64_t number = 0;
  journal::ExtentSorter::Cursor extents = journals.extents().read();
  for (const journal::Extent* extent = extents.peek(); extent != nullptr; extent = extents.peek()) {
    note(*extent, number++);
    bytes.append(reinterpret_cast<const char*>(extent), sizeof *extent);
    extents.take();
    if (bytes.size() < flush_bytes) continue;
    file.write(bytes);
    bytes.clear();
  }
  file.write(bytes);
}

void ExtentIndex::note(const journal::Extent& extent, std::uint64_t number) {
  if (extent.count == 0) return;
  const std::uint64_t last = (extent.first + extent.count - 1) / group_points;
  for (std::uint64_t group = extent.first / group_points; group <= last && group < first_.size(); ++group)
    first_[group] = std::min(first_[group], number);
}

std::uint64_t ExtentIndex::position(std::uint64_t point) const {
  const std::uint64_t group = point / group_points;
  return group < first_.size() ? first_[group] : no_extent;
}

class ExtentIndexReader::Cursor final : public journal::ExtentCursor {
 public:
  Cursor(const PosixFile& file, std::uint64_t offset) : file_(file), offset_(offset) {}

  const journal::Extent* peek() override {
    if (taken_ == buffer_.size()) fill();
    return taken_ < buffer_.size() ? &buffer_[taken_] : nullptr;
  }
  void take() override { ++taken_; }

 private:
  void fill() {
    buffer_.resize(extents_of_a_read);
    const std::size_t bytes =
        file_.read_at(offset_, reinterpret_cast<char*>(buffer_.data()), buffer_.size() * sizeof(journal::Extent));
    buffer_.resize(bytes / sizeof(journal::Extent));
    offset_ += buffer_.size() * sizeof(journal::Extent);
    taken_ = 0;
  }

  const PosixFile& file_;
  std::uint64_t offset_;
  std::vector<journal::Extent> buffer_;
  std::size_t taken_ = 0;
};

ExtentIndexReader::ExtentIndexReader(const std::string& path) : file_(PosixFile::read_from(path)) {
  std::uint64_t size = 0;
  const auto fail = [&] { throw std::runtime_error("'" + path + "' is not whole"); };
  if (file_.read_at(0, reinterpret_cast<char*>(&size), sizeof size) < sizeof size || size > file_.size()) fail();
  std::string names(size, '\0');
  if (file_.read_at(sizeof size, names.data(), size) < size) fail();
  ByteReader reader(names);
  while (!reader.at_end()) journals_.emplace_back(reader.text());
  begin_ = sizeof size + size;
}

std::unique_ptr<journal::ExtentCursor> ExtentIndexReader::read(std::uint64_t position) const {
  const bool is_none = position == no_extent;
  return std::make_unique<Cursor>(file_, is_none ? file_.size() : begin_ + position * sizeof(journal::Extent));
}

}  // namespace pimsweep::driver
