#include "base/placed_text.h"

#include <algorithm>
#include <string_view>

#include "base/text_cursor.h"

namespace pimsweep {

namespace {

constexpr std::string_view white_space = " \t\r\n";

bool sees_white_space(const TextCursor& cursor) {
  return !cursor.at_end() && white_space.find(cursor.peek()) != std::string_view::npos;
}

/// Bytes of a character in UTF-8.
std::size_t utf8_size(std::uint32_t character) {
  return character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
}

std::size_t digits_of_escape(char letter) { return letter == 'u' ? 4 : letter == 'U' ? 8 : letter == 'x' ? 2 : 0; }

/// Takes an escape sequence; returns how many bytes of the value it stands for.
std::size_t take_escape(TextCursor& cursor) {
  cursor.skip(1);
  if (sees_white_space(cursor)) {  // a line break that the string leaves out
    while (sees_white_space(cursor)) cursor.take();
    return 0;
  }
  const std::size_t digits = digits_of_escape(cursor.peek());
  cursor.skip(1);
  std::uint32_t character = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const char digit = cursor.peek();
    const auto value = digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;
    character = character * 16 + static_cast<std::uint32_t>(value);
    cursor.skip(1);
  }
  return digits == 0 ? 1 : utf8_size(character);
}

/// Takes the opening quotes; true if the string has escape sequences.
bool take_quotes(TextCursor& cursor) {
  const bool escapes = cursor.sees("\"");
  if (!cursor.sees(escapes ? "\"\"\"" : "'''")) {
    cursor.skip(1);
    return escapes;
  }
  cursor.skip(3);
  // A line break right after three quotes belongs to none of the lines.
  if (cursor.sees("\r\n")) cursor.skip(1);
  if (cursor.sees("\n")) cursor.skip(1);
  return escapes;
}

}  // namespace

SourcePosition PlacedText::at(std::size_t offset) const {
  if (places.empty()) return where;
  const Place& place = places[std::min(offset, places.size() - 1)];
  return {where.file, place.line, place.column};
}

PlacedText place_toml_string(const std::string& file_text, const SourcePosition& begin, const std::string& value) {
  PlacedText placed{value, begin, {}};
  // Walking to each string of a long line takes time that grows with the square of its length.
  constexpr std::uint32_t max_column = 4096;
  if (begin.column > max_column) return placed;
  TextCursor cursor(file_text);
  cursor.skip_to_line(begin.line);
  while (!cursor.at_end() && cursor.column() < begin.column) cursor.take();
  const bool escapes = take_quotes(cursor);
  std::vector<PlacedText::Place>& places = placed.places;
  places.reserve(value.size() + 1);
  while (places.size() < value.size() && !cursor.at_end()) {
    const PlacedText::Place here{cursor.line(), cursor.column()};
    std::size_t bytes = 1;
    if (escapes && cursor.peek() == '\\') {
      bytes = take_escape(cursor);
    } else {
      cursor.take();
    }
    places.insert(places.end(), bytes, here);
  }
  places.resize(value.size(), {begin.line, begin.column});
  places.push_back({cursor.line(), cursor.column()});
  return placed;
}

}  // namespace pimsweep
