#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pimsweep {

/// Bytes as printable text (RFC 4648, with padding).
std::string to_base64(std::string_view bytes);

/// Decodes such text; empty if it is malformed.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace pimsweep
