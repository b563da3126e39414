#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/value.h"

namespace pimsweep {

/// A value of a JSON document and its position (line and column from 1).
struct JsonNode {
  enum class Kind : std::uint8_t { null, scalar, list, object };
  struct Key {
    std::string name;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
  };

  Kind kind = Kind::null;
  /// Value of a scalar. Integers beyond 64 bits become reals.
  Value scalar;
  /// The keys of an object in file order, each once.
  std::vector<Key> keys;
  /// The items of a list, or the values of an object in the order of its keys.
  std::vector<JsonNode> items;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  /// The value of a key; nullptr if this is not an object or the key is missing.
  const JsonNode* find(std::string_view key) const;
};

/// Reads JSON (RFC 8259) of up to 4 MiB, 200,000 values and 64 levels; a byte-order mark is skipped. `file` is used
/// in messages. Throws InputError for invalid text, with every duplicate key.
JsonNode parse_json(std::string_view text, const std::string& file);

/// Description of a node for messages: "the text gelu", "a list", "null".
std::string describe(const JsonNode& node);

}  // namespace pimsweep
