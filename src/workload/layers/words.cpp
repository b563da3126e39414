#include "workload/layers/words.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace pimsweep::workload::layers {

Sentence split(const PlacedText& text) {
  Sentence sentence{text, {}};
  std::vector<Word>& words = sentence.words;
  bool open = false;
  for (std::size_t i = 0; i < text.text.size(); ++i) {
    const char character = text.text[i];
    if (std::isspace(static_cast<unsigned char>(character)) != 0) {
      open = false;
    } else if (character == '=' || !open) {
      words.push_back({{character}, i});
      open = character != '=';
    } else {
      words.back().text += character;
    }
  }
  return sentence;
}

std::optional<std::int64_t> integer_of(std::string_view text, Range range) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value < range.min || value > range.max ? std::nullopt : std::optional(value);
}

std::optional<Extent> extent_of(std::string_view text, Range range) {
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) return std::nullopt;
  const auto height = integer_of(text.substr(0, cross), range);
  const auto width = integer_of(text.substr(cross + 1), range);
  return height && width ? std::optional(Extent(*height, *width)) : std::nullopt;
}

bool is_name(std::string_view text) {
  constexpr std::size_t max_length = 64;
  return !text.empty() && text.size() <= max_length && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
         std::all_of(text.begin(), text.end(), [](unsigned char character) {
           return std::isalnum(character) != 0 || character == '_' || character == '-' || character == '.';
         });
}

}  // namespace pimsweep::workload::layers
