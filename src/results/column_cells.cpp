#include "results/column_cells.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace pimsweep::results {

namespace {

/// Zero for the empty text, which is the most frequent one.
Hash128 text_hash(std::string_view text) { return text.empty() ? Hash128{} : hash128(text); }

}  // namespace

std::string_view without_nul(std::string_view text) { return text.substr(0, text.find('\0')); }

void ColumnCells::push(const Value& value) {
  switch (type_) {
    case ValueType::integer:
      return put(std::get<std::int64_t>(value));
    case ValueType::real:
      if (const auto* real = std::get_if<double>(&value)) return put(*real);
      return put(to_real(value));
    case ValueType::boolean:
      return put(static_cast<std::int8_t>(std::get<bool>(value) ? 1 : 0));
    case ValueType::text:
      return push(std::string_view(std::get<std::string>(value)));
  }
}

void ColumnCells::push(std::string_view text) {
  text = without_nul(text);
  put(text_hash(text));
  texts_.push(text);
}

std::size_t ColumnCells::cell_bytes(ValueType type) {
  if (type == ValueType::text) return sizeof(Hash128);
  return type == ValueType::boolean ? sizeof(std::int8_t) : sizeof(double);
}

void ColumnCells::grow() {
  constexpr std::size_t min_room = 256;
  const std::size_t room = std::max(min_room, 2 * room_);
  auto bytes = std::make_unique_for_overwrite<char[]>(room);
  std::copy_n(bytes_.get(), size_, bytes.get());
  bytes_ = std::move(bytes);
  room_ = room;
}

void ColumnCells::clear() {
  size_ = 0;
  texts_.clear();
}

}  // namespace pimsweep::results
