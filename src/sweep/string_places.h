#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace pimsweep::sweep {

/// Where the characters of a TOML string stand in its file: one place for each byte of `value`, the string's value, and
/// one for its end. `begin` is the place of its first quote in `file_text`. Looks through escapes and line breaks.
std::vector<SourcePosition> string_places(const std::string& file_text, const SourcePosition& begin,
                                          const std::string& value);

}  // namespace pimsweep::sweep
