#include "driver/journal_set.h"

#include <fmt/format.h>

#include "base/error.h"
#include "results/journal_reader.h"

namespace pimsweep::driver {

void JournalSet::add(const std::string& path) {
  using results::journal_format::Kind;
  try {
    results::JournalReader reader(path);
    const bool own = reader.header().plan == plan_;
    if (!own) foreign_.push_back(path);
    const auto number = static_cast<std::uint32_t>(paths_.size());
    paths_.push_back(path);
    results::JournalReader::Frame frame;
    while (reader.next(frame)) {
      if (!own) continue;
      if (frame.kind == Kind::results) {
        const results::EntryReader entries(frame.payload);
        extents_.add({entries.first(), entries.count(), number, frame.offset});
      } else if (frame.kind == Kind::death) {
        const results::JournalDeath death = results::death_from(frame.payload);
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

void JournalSet::add_closed(const std::string& path) {
  if (!add_heads(path)) add(path);
}

bool JournalSet::add_heads(const std::string& path) {
  try {
    results::JournalReader reader(path);
    if (reader.header().plan != plan_ || !reader.leads_to_end()) return false;
    const auto number = static_cast<std::uint32_t>(paths_.size());
    paths_.push_back(path);
    for (results::JournalReader::Frame frame; reader.next_head(frame);) {
      const results::EntryReader entries(frame.payload);
      extents_.add({entries.first(), entries.count(), number, frame.offset});
    }
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace pimsweep::driver
