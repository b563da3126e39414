#pragma once

#include <string>
#include <string_view>

namespace pimsweep {

/// A text as a JSON string, in quotes. Invalid UTF-8 becomes replacement characters.
std::string json_text(std::string_view text);

}  // namespace pimsweep
