#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace pimsweep {

static_assert(std::endian::native == std::endian::little, "stored bytes are little-endian");

/// Appends a number as its little-endian bytes.
template <typename Number>
requires std::is_arithmetic_v<Number>
void append_number(std::string& bytes, Number number) {
  char raw[sizeof(Number)];
  std::memcpy(raw, &number, sizeof(Number));
  bytes.append(raw, sizeof(Number));
}

/// Appends the length (32 bits) and the characters.
inline void append_text(std::string& bytes, std::string_view text) {
  append_number(bytes, static_cast<std::uint32_t>(text.size()));
  bytes.append(text);
}

/// Appends a count as LEB128: one byte below 128, more for larger counts.
inline void append_count(std::string& bytes, std::uint64_t count) {
  while (count >= 0x80) {
    bytes.push_back(static_cast<char>(count | 0x80));
    count >>= 7;
  }
  bytes.push_back(static_cast<char>(count));
}

/// Reads bytes written by the functions above. Reading past the end returns zero or empty values and sets failed().
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <typename Number>
  Number number() {
    Number value{};
    if (rest_.size() < sizeof(Number)) {
      failed_ = true;
      rest_ = {};
      return value;
    }
    std::memcpy(&value, rest_.data(), sizeof(Number));
    rest_.remove_prefix(sizeof(Number));
    return value;
  }

  std::string_view text() {
    const auto size = number<std::uint32_t>();
    return bytes(size);
  }

  std::uint64_t count() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = number<std::uint8_t>();
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if ((byte & 0x80U) == 0) return value;
    }
    failed_ = true;
    return value;
  }

  /// The next `size` bytes.
  std::string_view bytes(std::uint64_t size) {
    if (rest_.size() < size) {
      failed_ = true;
      rest_ = {};
      return {};
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  bool failed() const { return failed_; }
  bool at_end() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace pimsweep
