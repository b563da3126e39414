#include "driver/journal_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/error.h"

namespace pimsweep {

namespace {

constexpr int entry_bits = 40;

/// Lower is better.
int order_of(Status status) { return is_result(status) ? 0 : static_cast<int>(status); }

}  // namespace

bool is_result(Status status) { return status == Status::ok || status == Status::infeasible; }

void JournalIndex::add(const std::string& path) {
  std::unique_ptr<JournalReader> reader;
  try {
    reader = std::make_unique<JournalReader>(path);
  } catch (const InputError& error) {
    warnings_.push_back(fmt::format("left out: {}", error.what()));
    return;
  }
  if (reader->damaged_bytes() > 0) {
    warnings_.push_back(fmt::format("'{}': left out {} bytes at the end that are no whole entry (as after a crash)",
                                    path, reader->damaged_bytes()));
  }
  const Slot number = journals_.size();
  for (Slot entry = 0; entry < reader->entries().size(); ++entry) slots_.push_back(number << entry_bits | entry);
  journals_.push_back(std::move(reader));
}

void JournalIndex::build() {
  std::sort(slots_.begin(), slots_.end(), [this](Slot a, Slot b) {
    const auto& left = location(a);
    const auto& right = location(b);
    return std::tuple(left.identity, order_of(left.status), a) < std::tuple(right.identity, order_of(right.status), b);
  });
}

const JournalHeader* JournalIndex::latest() const {
  const JournalHeader* latest = nullptr;
  for (const auto& journal : journals_) {
    if (latest == nullptr || journal->header().started > latest->started) latest = &journal->header();
  }
  return latest;
}

const JournalReader& JournalIndex::journal(Slot slot) const { return *journals_[slot >> entry_bits]; }

const JournalReader::Location& JournalIndex::location(Slot slot) const {
  return journal(slot).entries()[slot & ((Slot{1} << entry_bits) - 1)];
}

std::size_t JournalIndex::first(const Hash128& identity) const {
  const auto found = std::lower_bound(slots_.begin(), slots_.end(), identity, [this](Slot slot, const Hash128& wanted) {
    return location(slot).identity < wanted;
  });
  if (found == slots_.end() || location(*found).identity != identity) return slots_.size();
  return static_cast<std::size_t>(found - slots_.begin());
}

Status JournalIndex::status(const Hash128& identity) const {
  const std::size_t slot = first(identity);
  return slot == slots_.size() ? Status::not_run : location(slots_[slot]).status;
}

bool JournalIndex::read(const Hash128& identity, JournalEntry& entry) const {
  const std::size_t slot = first(identity);
  return slot != slots_.size() && journal(slots_[slot]).read(location(slots_[slot]).offset, entry);
}

}  // namespace pimsweep
