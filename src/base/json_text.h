#pragma once

#include <string>
#include <string_view>

namespace pimsweep {

/// A text as JSON writes it, in quotes. Bytes that are no UTF-8 become replacement characters.
std::string json_text(std::string_view text);

}  // namespace pimsweep
