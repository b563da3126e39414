#include "base/base64.h"

#include <cstdint>

namespace pimsweep {

namespace {

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8U | (j < group.size() ? static_cast<std::uint8_t>(group[j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += j <= group.size() ? base64_digits[bits >> (18U - 6U * j) & 63U] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool is_last = i + 4 == text.size();
    std::uint32_t bits = 0;
    std::size_t padding = 0;
    for (const char digit : text.substr(i, 4)) {
      const std::size_t value = base64_digits.find(digit);
      if (digit == '=') ++padding;
      if (digit == '=' ? !is_last || padding > 2 : value == std::string_view::npos || padding > 0) return std::nullopt;
      bits = bits << 6U | static_cast<std::uint32_t>(digit == '=' ? 0 : value);
    }
    for (std::size_t j = 0; j < 3 - padding; ++j) bytes += static_cast<char>(bits >> (16U - 8U * j) & 255U);
  }
  return bytes;
}

}  // namespace pimsweep
