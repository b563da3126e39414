#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/placed_text.h"

namespace pimsweep::sweep {

/// One word of a condition.
struct Token {
  enum class Kind : std::uint8_t { name, number, text, mark };
  Kind kind = Kind::mark;
  /// As written; a text without its quotes.
  std::string text;
  /// Offset in the condition, the quote's for a text.
  std::size_t begin = 0;
};

/// Cuts a condition into words. Names may have dots, texts stand in single or double quotes. What is no word goes to
/// `problems`.
std::vector<Token> read_tokens(const PlacedText& condition, ProblemList& problems);

}  // namespace pimsweep::sweep
