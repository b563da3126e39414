#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pimsweep {

/// A word of an input or results file and the value that it represents. One table of words serves readers and writers.
template <typename T>
struct Word {
  std::string_view name;
  T value;
};
template <typename T>
Word(std::string_view, T) -> Word<T>;

/// A table of words: `constexpr Words<Task, 2> task_words{{{"training", Task::training}, ...}}`.
template <typename T, std::size_t count>
using Words = std::array<Word<T>, count>;

/// The value of a word, if it is in the table.
template <typename T>
std::optional<T> value_of(std::span<const Word<T>> words, std::string_view name) {
  const auto found = std::ranges::find(words, name, &Word<T>::name);
  return found == words.end() ? std::nullopt : std::optional<T>(found->value);
}

/// The word of a value; empty if it is not in the table.
template <typename T>
std::string_view word_of(std::span<const Word<T>> words, const T& value) {
  const auto found = std::ranges::find(words, value, &Word<T>::value);
  return found == words.end() ? std::string_view{} : found->name;
}
template <typename T, std::size_t count>
std::string_view word_of(const Words<T, count>& words, const T& value) {
  return word_of(std::span<const Word<T>>(words), value);
}

template <typename T, std::size_t count>
std::optional<T> value_of(const Words<T, count>& words, std::string_view name) {
  return value_of(std::span<const Word<T>>(words), name);
}

/// All words, in the order of the table.
template <typename T>
std::vector<std::string> names_of(std::span<const Word<T>> words) {
  std::vector<std::string> names;
  for (const Word<T>& word : words) names.emplace_back(word.name);
  return names;
}
template <typename T, std::size_t count>
std::vector<std::string> names_of(const Words<T, count>& words) {
  return names_of(std::span<const Word<T>>(words));
}

}  // namespace pimsweep
