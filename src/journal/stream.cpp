#include "journal/stream.h"

#include <algorithm>
#include <utility>

#include "base/downward.h"
#include "systems/record_check.h"

namespace pimsweep::journal {

namespace {

/// Bounds the open file descriptors, since there may be many ranks.
constexpr std::size_t max_open_journals = 64;

/// Lower values take precedence.
int priority_of(systems::Status status) { return is_result(status) ? 0 : static_cast<int>(status); }

}  // namespace

bool Stream::read_frame_of(const Extent& extent, std::string& payload) {
  auto found = std::find_if(open_.begin(), open_.end(),
                            [&](const OpenJournal& journal) { return journal.journal == extent.journal; });
  if (found == open_.end()) {
    open_.push_front({extent.journal, open_journal(paths_[extent.journal])});
    if (open_.size() > max_open_journals) open_.pop_back();
  } else {
    open_.splice(open_.begin(), open_, found);
  }
  return read_frame(open_.front().file, extent.offset, payload);
}

void Stream::open_frames(std::uint64_t index) {
  for (; next_extent_ < extents_.size() && extents_[next_extent_].first <= index; ++next_extent_) {
    const Extent& extent = extents_[next_extent_];
    const std::uint64_t end = extent.first + extent.count;
    if (end <= index) continue;
    if (spare_.empty()) spare_.push_back(std::make_unique<OpenFrame>());
    OpenFrame& frame = *spare_.back();
    if (!read_frame_of(extent, frame.payload)) continue;
    frame.entries = EntryReader(frame.payload);
    frame.next = extent.first;
    frame.end = end;
    frames_.push_back(std::move(spare_.back()));
    spare_.pop_back();
  }
}

std::uint64_t Stream::next(std::uint64_t index, std::uint64_t end) const {
  if (!frames_.empty()) return index;
  const auto ends_later = [&](const Extent& extent) { return extent.first + extent.count > index; };
  const auto found =
      std::find_if(extents_.begin() + static_cast<std::ptrdiff_t>(next_extent_), extents_.end(), ends_later);
  return found == extents_.end() ? end : std::clamp(found->first, index, end);
}

bool Stream::read(std::uint64_t index, const Hash128& identity, const systems::Schema& schema, Entry& entry) {
  open_frames(index);
  bool found = false;
  std::string_view found_bytes;
  for (const auto& frame : frames_) {
    Entry& target = found ? other_ : entry;
    bool whole = true;
    while (whole && frame->next <= index) {
      whole = frame->entries.next(target);
      ++frame->next;
    }
    if (!whole) {
      frame->next = frame->end;
      continue;
    }
    if (target.index != index || target.identity != identity) continue;
    if (!systems::record_fault(schema, target.record).empty()) continue;
    const std::string_view bytes = frame->entries.record_bytes();
    if (!found) {
      found = true;
      found_bytes = bytes;
    } else if (priority_of(other_.record.status) < priority_of(entry.record.status)) {
      std::swap(entry, other_);
      found_bytes = bytes;
    } else if (is_result(entry.record.status) && is_result(other_.record.status) && bytes != found_bytes &&
               (conflicts_.empty() || conflicts_.back() != index)) {
      conflicts_.push_back(index);
    }
  }
  for (const std::size_t i : downward(frames_.size())) {
    if (frames_[i]->next < frames_[i]->end) continue;
    spare_.push_back(std::move(frames_[i]));
    frames_.erase(frames_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return found;
}

}  // namespace pimsweep::journal
