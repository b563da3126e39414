#include "base/message.h"

#include <algorithm>
#include <cstdio>
#include <string>

namespace pimsweep {

void print_message(std::string_view kind, std::string_view text) {
  std::string lines;
  do {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines += fmt::format("pimsweep: {}: {}\n", kind, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  } while (!text.empty());
  // In one piece, so that the messages of several ranks do not mix.
  std::fwrite(lines.data(), 1, lines.size(), stderr);
}

}  // namespace pimsweep
