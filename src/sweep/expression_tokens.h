#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/placed_text.h"

namespace pimsweep::sweep {

/// One token of a condition.
struct Token {
  enum class Kind : std::uint8_t { name, number, text, mark };
  Kind kind = Kind::mark;
  /// As written; a text without its quotes.
  std::string text;
  /// Offset in the condition; for a text, that of its opening quote.
  std::size_t begin = 0;
};

/// Splits a condition into tokens. Names may contain dots; texts are in single or double quotes. Adds invalid
/// characters to `problems`.
std::vector<Token> read_tokens(const PlacedText& condition, ProblemList& problems);

/// True for a text that is one name, and no expression with operators.
bool is_name(std::string_view text);

}  // namespace pimsweep::sweep
