#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/value.h"

namespace pimsweep {

/// A value of a JSON document and where it starts (line and column from 1).
struct JsonNode {
  enum class Kind : std::uint8_t { null, scalar, list, object };
  struct Key {
    std::string name;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
  };

  Kind kind = Kind::null;
  /// Of a scalar. Integers beyond 64 bits are reals.
  Value scalar;
  /// The keys of an object in the order of the file, each once.
  std::vector<Key> keys;
  /// The items of a list, or the values of an object in the order of its keys.
  std::vector<JsonNode> items;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  /// The value of a key; null if this is no object or lacks the key.
  const JsonNode* find(std::string_view key) const;
};

/// Reads JSON (RFC 8259) of up to 4 MiB, 200,000 values and 64 levels; a byte-order mark is passed over. `file` is used
/// in messages. Throws InputError for other text, with every key that stands twice in an object.
JsonNode parse_json(std::string_view text, const std::string& file);

/// What was read, for messages: "the text gelu", "a list", "null".
std::string describe(const JsonNode& node);

}  // namespace pimsweep
