#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <vector>

namespace pimsweep::systems {

/// A list of named entries: the built-in ones, then those that a program adds at its start, before the first use
/// (docs/tutorials/library.md). Not thread-safe.
template <typename Entry>
class ExtensibleList {
 public:
  explicit ExtensibleList(std::span<const Entry> own) : entries_(own.begin(), own.end()) {}

  /// Throws std::logic_error if the name exists or the list has been read, because readers keep references to its
  /// entries.
  void add(Entry entry) {
    if (is_read_) throw std::logic_error(fmt::format("'{}' is registered too late: the list is in use", entry.name));
    if (std::ranges::find(entries_, entry.name, &Entry::name) != entries_.end()) {
      throw std::logic_error(fmt::format("the name '{}' is registered already", entry.name));
    }
    entries_.push_back(std::move(entry));
  }

  /// All entries. Their addresses no longer change.
  std::span<const Entry> read() {
    is_read_ = true;
    return entries_;
  }

 private:
  std::vector<Entry> entries_;
  bool is_read_ = false;
};

}  // namespace pimsweep::systems
