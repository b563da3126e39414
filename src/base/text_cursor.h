#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pimsweep {

/// True for a byte of UTF-8 that belongs to the character before it.
constexpr bool is_utf8_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U; }

/// Iterates over a text and tracks line and column. Columns count UTF-8 characters, not bytes. A byte-order mark at the
/// start is skipped.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : rest_(text) {
    if (sees("\xef\xbb\xbf")) rest_.remove_prefix(3);
  }

  bool at_end() const { return rest_.empty(); }
  /// The next byte; 0 at the end.
  char peek() const { return at_end() ? '\0' : rest_.front(); }
  bool sees(std::string_view text) const { return rest_.starts_with(text); }
  std::uint32_t line() const { return line_; }
  std::uint32_t column() const { return column_; }

  /// Consumes one byte. Requires !at_end().
  char take() {
    const char taken = rest_.front();
    rest_.remove_prefix(1);
    if (taken == '\n') {
      ++line_;
      column_ = 1;
    } else if (!is_utf8_continuation(peek())) {
      ++column_;
    }
    return taken;
  }
  void skip(std::size_t bytes) {
    for (; bytes > 0 && !at_end(); --bytes) take();
  }
  /// Advances to the start of a later line, or to the end of the text.
  void skip_to_line(std::uint32_t line) {
    while (line_ < line && !at_end()) {
      rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size() - 1) + 1);
      ++line_;
      column_ = 1;
    }
  }

 private:
  std::string_view rest_;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
};

}  // namespace pimsweep
