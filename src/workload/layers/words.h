#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/placed_text.h"
#include "workload/operator_graph.h"
#include "workload/parameter_reader.h"

namespace pimsweep::workload::layers {

/// A word of a layer's text and the byte at which it begins.
struct Word {
  std::string text;
  std::size_t offset = 0;
  /// False for a parameter whose value has a problem of its own.
  bool is_known = true;
};

/// A layer as written in a model file: "sum = add from a b".
struct Sentence {
  PlacedText text;
  std::vector<Word> words;
};

/// Splits a text at blanks; '=' is a word of its own.
Sentence split(const PlacedText& text);

/// Parses an integer within a range; nullopt otherwise.
std::optional<std::int64_t> integer_of(std::string_view text, Range range);
/// Parses height x width such as "5x5"; nullopt otherwise.
std::optional<Extent> extent_of(std::string_view text, Range range);
/// True for a valid name: at most 64 letters, digits, '_', '-' and '.', starting with a letter.
bool is_name(std::string_view text);

}  // namespace pimsweep::workload::layers
