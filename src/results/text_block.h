#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pimsweep::results {

/// The longest front part of a UTF-8 text that has at most `max_bytes` bytes and ends between two characters.
std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes);

/// The texts of one block of rows, to be stored as a two-dimensional array of characters.
class TextBlock {
 public:
  void push(std::string_view text);
  std::size_t rows() const { return ends_.size(); }
  std::string_view text(std::size_t row) const;
  /// Bytes of the longest text.
  std::size_t longest() const { return longest_; }
  /// The rows one after another, each padded with NUL to `width` bytes. Of a longer text, the front part with an
  /// ellipsis behind it.
  std::string characters(std::size_t width) const;
  void clear();

 private:
  std::string bytes_;
  /// Where each text ends in `bytes_`.
  std::vector<std::size_t> ends_;
  std::size_t longest_ = 0;
};

}  // namespace pimsweep::results
