#include "results/text_block.h"

#include <algorithm>

#include "base/text_cursor.h"

namespace pimsweep::results {

namespace {

constexpr std::string_view ellipsis = "\u2026";
/// No character of UTF-8 has more bytes.
constexpr std::size_t max_character_bytes = 4;

}  // namespace

std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = max_bytes;
  while (end > 0 && max_bytes - end < max_character_bytes && is_utf8_continuation(text[end])) --end;
  // Bytes that are no UTF-8 are cut anywhere.
  return text.substr(0, is_utf8_continuation(text[end]) ? max_bytes : end);
}

void TextBlock::push(std::string_view text) {
  bytes_ += text;
  ends_.push_back(bytes_.size());
  longest_ = std::max(longest_, text.size());
}

std::string_view TextBlock::text(std::size_t row) const {
  const std::size_t start = row == 0 ? 0 : ends_[row - 1];
  return std::string_view(bytes_).substr(start, ends_[row] - start);
}

std::string TextBlock::characters(std::size_t width) const {
  std::string padded(rows() * width, '\0');
  for (std::size_t row = 0; row < rows(); ++row) {
    const std::string_view whole = text(row);
    char* cell = padded.data() + row * width;
    if (whole.size() <= width) {
      std::copy(whole.begin(), whole.end(), cell);
    } else {
      const std::string_view front = utf8_prefix(whole, width - ellipsis.size());
      std::copy(ellipsis.begin(), ellipsis.end(), std::copy(front.begin(), front.end(), cell));
    }
  }
  return padded;
}

void TextBlock::clear() {
  bytes_.clear();
  ends_.clear();
  longest_ = 0;
}

}  // namespace pimsweep::results
