#include "journal/index.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "journal/reader.h"

namespace pimsweep::journal {

void Index::add(const std::string& path) {
  try {
    Reader reader(path);
    const bool own = reader.header().plan == plan_;
    if (!own) foreign_.push_back(path);
    const auto number = static_cast<std::uint32_t>(paths_.size());
    paths_.push_back(path);
    Reader::Frame frame;
    while (reader.next(frame)) {
      if (!own) continue;
      if (frame.kind == FrameKind::results) {
        const EntryReader entries(frame.payload);
        extents_.push_back({entries.first(), entries.count(), number, frame.offset});
      } else if (frame.kind == FrameKind::death) {
        const Death death = death_from(frame.payload);
        deaths_[death.index].push_back(death.cause);
      }
    }
    if (reader.damaged_bytes() > 0) {
      warnings_.push_back(
          fmt::format("'{}': ignored {} bytes at the end that form no complete entry (as after a crash)", path,
                      reader.damaged_bytes()));
    }
  } catch (const InputError& error) {
    warnings_.push_back(fmt::format("ignored: {}", error.what()));
  }
}

std::vector<Extent> Index::extents() const {
  std::vector<Extent> sorted = extents_;
  std::ranges::sort(sorted);
  return sorted;
}

void Index::add_closed(const std::string& path) {
  if (!add_heads(path)) add(path);
}

bool Index::add_heads(const std::string& path) {
  try {
    Reader reader(path);
    if (reader.header().plan != plan_ || !reader.leads_to_end()) return false;
    const auto number = static_cast<std::uint32_t>(paths_.size());
    paths_.push_back(path);
    for (Reader::Frame frame; reader.next_head(frame);) {
      const EntryReader entries(frame.payload);
      extents_.push_back({entries.first(), entries.count(), number, frame.offset});
    }
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace pimsweep::journal
