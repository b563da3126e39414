#include "sweep/string_places.h"

#include <cstdint>
#include <string_view>

namespace pimsweep::sweep {

namespace {

/// Walks a text and knows its line and column. Columns count characters, not bytes, as the TOML parser does.
class Cursor {
 public:
  Cursor(std::string_view text, SourcePosition start) : rest_(text), at_(std::move(start)) {
    at_.line = 1;
    at_.column = 1;
    if (sees("\xef\xbb\xbf")) rest_.remove_prefix(3);
  }

  bool ended() const { return rest_.empty(); }
  char next() const { return ended() ? '\0' : rest_.front(); }
  bool sees(std::string_view text) const { return rest_.starts_with(text); }
  const SourcePosition& at() const { return at_; }

  void step(std::size_t bytes = 1) {
    for (; bytes > 0 && !ended(); --bytes) {
      const char read = rest_.front();
      rest_.remove_prefix(1);
      if (read == '\n') {
        ++at_.line;
        at_.column = 1;
      } else if (ended() || !continues(rest_.front())) {
        ++at_.column;
      }
    }
  }

 private:
  static bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U; }

  std::string_view rest_;
  SourcePosition at_;
};

/// Bytes of a character in UTF-8.
std::size_t utf8_size(std::uint32_t character) {
  return character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
}

std::size_t digits_of_escape(char letter) { return letter == 'u' ? 4 : letter == 'U' ? 8 : letter == 'x' ? 2 : 0; }

/// Steps over an escape; returns how many bytes of the value it stands for.
std::size_t step_over_escape(Cursor& cursor) {
  cursor.step();
  if (std::string_view(" \t\r\n").find(cursor.next()) != std::string_view::npos && !cursor.ended()) {
    while (!cursor.ended() && std::string_view(" \t\r\n").find(cursor.next()) != std::string_view::npos) cursor.step();
    return 0;  // a line break that the string leaves out
  }
  const std::size_t digits = digits_of_escape(cursor.next());
  cursor.step();
  std::uint32_t character = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const char digit = cursor.next();
    const auto value = digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;
    character = character * 16 + static_cast<std::uint32_t>(value);
    cursor.step();
  }
  return digits == 0 ? 1 : utf8_size(character);
}

}  // namespace

std::vector<SourcePosition> string_places(const std::string& file_text, const SourcePosition& begin,
                                          const std::string& value) {
  Cursor cursor(file_text, begin);
  while (!cursor.ended() && (cursor.at().line < begin.line || cursor.at().column < begin.column)) cursor.step();
  std::string_view quote = cursor.sees("\"") ? "\"" : "'";
  const bool escapes = cursor.sees("\"");
  const std::string_view triple = escapes ? "\"\"\"" : "'''";
  if (cursor.sees(triple)) quote = triple;
  cursor.step(quote.size());
  if (quote == triple) {
    if (cursor.sees("\r\n")) cursor.step();
    if (cursor.sees("\n")) cursor.step();
  }
  std::vector<SourcePosition> places;
  while (places.size() < value.size() && !cursor.ended()) {
    const SourcePosition here = cursor.at();
    std::size_t bytes = 1;
    if (escapes && cursor.next() == '\\') {
      bytes = step_over_escape(cursor);
    } else {
      cursor.step();
    }
    places.insert(places.end(), bytes, here);
  }
  places.resize(value.size(), begin);
  places.push_back(cursor.at());
  return places;
}

}  // namespace pimsweep::sweep
