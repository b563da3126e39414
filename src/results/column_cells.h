#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "base/value.h"
#include "results/text_block.h"

namespace pimsweep::results {

/// A text ends at its first NUL, for NUL pads it in the file.
std::string_view without_nul(std::string_view text);

/// The cells of a column in one block of rows, before they are encoded.
class ColumnCells {
 public:
  explicit ColumnCells(ValueType type) : type_(type) {}

  ValueType type() const { return type_; }
  bool is_text() const { return type_ == ValueType::text; }

  /// The value is of the column's type; an integer may go to a column of reals.
  void push(const Value& value);
  void push(double number) { put(number); }
  void push(std::int64_t number) { put(number); }
  void push(std::int8_t number) { put(number); }
  void push(std::string_view text);

  /// The numbers as they are stored; of texts, the 128-bit hash of each, which is 0 for the empty text: what the digest
  /// of a file is made of.
  std::string_view bytes() const { return {bytes_.get(), size_}; }
  const TextBlock& texts() const { return texts_; }
  /// Bytes of a cell in bytes().
  static std::size_t cell_bytes(ValueType type);
  void clear();

 private:
  template <typename Number>
  void put(Number number) {
    if (room_ - size_ < sizeof number) grow();
    std::memcpy(bytes_.get() + size_, &number, sizeof number);
    size_ += sizeof number;
  }
  void grow();

  ValueType type_;
  /// A string would ask for room and end itself at each cell.
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
  TextBlock texts_;
};

}  // namespace pimsweep::results
