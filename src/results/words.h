#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pimsweep {

/// A word that input files use, and the value that it stands for.
template <typename T>
struct Word {
  std::string_view word;
  T value;
};
template <typename T>
Word(std::string_view, T) -> Word<T>;

/// The value of a word, if the table has it.
template <typename T, std::size_t size>
std::optional<T> value_of(const std::array<Word<T>, size>& table, std::string_view word) {
  for (const Word<T>& entry : table) {
    if (entry.word == word) return entry.value;
  }
  return std::nullopt;
}

/// The first word of a value, which the table must have.
template <typename T, std::size_t size>
std::string_view word_of(const std::array<Word<T>, size>& table, T value) {
  std::size_t place = 0;
  while (table.at(place).value != value) ++place;
  return table[place].word;
}

/// All words of a table, in its order.
template <typename T, std::size_t size>
std::vector<std::string> words_of(const std::array<Word<T>, size>& table) {
  std::vector<std::string> words;
  words.reserve(size);
  for (const Word<T>& entry : table) words.emplace_back(entry.word);
  return words;
}

}  // namespace pimsweep
