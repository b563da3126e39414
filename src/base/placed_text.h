#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"

namespace pimsweep {

/// A text in an input file and its position.
struct PlacedText {
  struct Place {
    std::uint32_t line;
    std::uint32_t column;
  };

  std::string text;
  /// Start of the value; for a TOML string, its first quote. Without a file, the text was not given.
  SourcePosition where;
  /// Position of each byte of `text` and of its end; empty if only the position of the whole text is known.
  std::vector<Place> places;

  bool is_given() const { return !where.file.empty(); }
  /// Position of a byte of the text, or of its end.
  SourcePosition at(std::size_t offset) const;
};

/// A TOML string with the position of each of its bytes across escapes and line breaks. `begin` is the position of its
/// first quote in `file_text`, `value` the parsed string.
PlacedText place_toml_string(const std::string& file_text, const SourcePosition& begin, const std::string& value);

}  // namespace pimsweep
