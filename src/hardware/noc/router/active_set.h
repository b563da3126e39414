#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hardware/noc/router/bits.h"

namespace pimsweep::hardware::noc::router {

/// Set of the parts that have something to do. Listing them skips all others, at the cost of an instruction or so for
/// each 64 parts.
class ActiveSet {
 public:
  explicit ActiveSet(std::size_t members) : words_((members + 511) / 512 * block), list_(members + 1) {}

  /// Changes a set; a loop keeps its copy in a register.
  class Editor {
   public:
    explicit Editor(ActiveSet& set) : words_(set.words_.data()) {}
    void add(std::uint32_t member) const { words_[member / 64] |= bit<std::uint64_t>(member % 64); }
    void remove(std::uint32_t member) const { words_[member / 64] &= ~bit<std::uint64_t>(member % 64); }

   private:
    std::uint64_t* words_;
  };
  Editor editor() { return Editor(*this); }
  void add(std::uint32_t member) { editor().add(member); }
  void remove(std::uint32_t member) { editor().remove(member); }

  /// The members in order; valid until the next list.
  std::span<const std::uint32_t> list() {
    return list_words([](const std::uint64_t& word) { return word; });
  }
  /// The members in order, after which the set is empty.
  std::span<const std::uint32_t> take() {
    return list_words([](std::uint64_t& word) {
      const std::uint64_t members = word;
      word = 0;
      return members;
    });
  }

 private:
  static constexpr std::size_t block = 8;

  template <typename Members>
  std::span<const std::uint32_t> list_words(Members members) {
    std::uint32_t* end = list_.data();
    for (std::size_t first = 0; first < words_.size(); first += block) {
      std::uint64_t any = 0;
      for (std::size_t i = first; i < first + block; ++i) any |= words_[i];
      if (any == 0) continue;
      for (std::size_t i = first; i < first + block; ++i) {
        for (std::uint64_t left = members(words_[i]); left != 0; left &= left - 1) {
          *end++ = static_cast<std::uint32_t>(64 * i) + lowest(left);
        }
      }
    }
    return {list_.data(), end};
  }

  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> list_;
};

}  // namespace pimsweep::hardware::noc::router
