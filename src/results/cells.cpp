#include "results/cells.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/text_cursor.h"

namespace pimsweep::results {

namespace {

constexpr std::string_view ellipsis = "\u2026";
/// No character of UTF-8 has more bytes.
constexpr std::size_t max_character_bytes = 4;

/// Zero for the empty text, which is the most frequent one.
Hash128 text_hash(std::string_view text) { return text.empty() ? Hash128{} : hash128(text); }

}  // namespace

std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = max_bytes;
  while (end > 0 && max_bytes - end < max_character_bytes && is_utf8_continuation(text[end])) --end;
  // Bytes that are not UTF-8 are cut anywhere.
  return text.substr(0, is_utf8_continuation(text[end]) ? max_bytes : end);
}

std::size_t ColumnCells::cell_bytes() const {
  if (is_text()) return sizeof(Hash128);
  return element_ == Element::flag ? sizeof(std::int8_t) : sizeof(double);
}

void ColumnCells::push(const Value& value) {
  switch (element_) {
    case Element::integer:
      return put(std::get<std::int64_t>(value));
    case Element::real:
      if (const auto* real = std::get_if<double>(&value)) return put(*real);
      return put(to_real(value));
    case Element::flag:
      return put(static_cast<std::int8_t>(std::get<bool>(value) ? 1 : 0));
    case Element::text:
      return push(std::string_view(std::get<std::string>(value)));
  }
}

void ColumnCells::push(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  put(text_hash(text));
  characters_ += text;
  ends_.push_back(characters_.size());
  longest_ = std::max(longest_, text.size());
}

bool ColumnCells::is_uniform() const {
  const std::size_t cell = cell_bytes();
  return size_ >= cell && std::memcmp(bytes_.get(), bytes_.get() + cell, size_ - cell) == 0;
}

std::string_view ColumnCells::text(std::size_t row) const {
  const std::size_t start = row == 0 ? 0 : ends_[row - 1];
  return std::string_view(characters_).substr(start, ends_[row] - start);
}

std::string ColumnCells::characters(std::size_t width) const {
  std::string padded(ends_.size() * width, '\0');
  for (std::size_t row = 0; row < ends_.size(); ++row) {
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

void ColumnCells::grow() {
  constexpr std::size_t min_room = 256;
  const std::size_t room = std::max(min_room, 2 * room_);
  auto bytes = std::make_unique_for_overwrite<char[]>(room);
  std::copy_n(bytes_.get(), size_, bytes.get());
  bytes_ = std::move(bytes);
  room_ = room;
}

Block::Block(const GroupInfo& group) {
  columns.reserve(group.columns.size());
  for (const ColumnInfo& column : group.columns) columns.emplace_back(element_of(column));
}

}  // namespace pimsweep::results
