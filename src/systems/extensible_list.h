#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <vector>

namespace pimsweep::systems {

/// Entries with a member `name`: those of this tree, then those that a program adds before it uses any of them
/// (docs/tutorials/library.md). Not synchronized: a program adds at its start, in one thread.
template <typename Entry>
class ExtensibleList {
 public:
  explicit ExtensibleList(std::span<const Entry> own) : entries_(own.begin(), own.end()) {}

  /// Throws std::logic_error if the name is taken, and once the entries have been read, because readers keep
  /// references to them.
  void add(Entry entry) {
    if (is_read_) throw std::logic_error(fmt::format("'{}' is registered too late: the list is in use", entry.name));
    if (std::ranges::find(entries_, entry.name, &Entry::name) != entries_.end()) {
      throw std::logic_error(fmt::format("the name '{}' is registered already", entry.name));
    }
    entries_.push_back(std::move(entry));
  }

  /// All entries, which stay where they are from now on.
  std::span<const Entry> read() {
    is_read_ = true;
    return entries_;
  }

 private:
  std::vector<Entry> entries_;
  bool is_read_ = false;
};

}  // namespace pimsweep::systems
