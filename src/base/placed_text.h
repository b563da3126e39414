#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"

namespace pimsweep {

/// A text of an input file and where it stands.
struct PlacedText {
  struct Place {
    std::uint32_t line;
    std::uint32_t column;
  };

  std::string text;
  /// Where its value begins; for a TOML string, its first quote. Without a file, the text was not given.
  SourcePosition where;
  /// The place of each byte of `text` and of its end; empty where only the whole text has a place.
  std::vector<Place> places;

  bool is_given() const { return !where.file.empty(); }
  /// The place of a byte of the text, or of its end.
  SourcePosition at(std::size_t offset) const;
};

/// A TOML string with the place of each of its bytes, found through escapes and line breaks. `begin` is the place of
/// its first quote in `file_text`, `value` what the parser made of it.
PlacedText place_toml_string(const std::string& file_text, const SourcePosition& begin, const std::string& value);

}  // namespace pimsweep
