#include "commands/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace pimsweep::commands {

std::size_t terminal_columns() {
  if (const char* text = std::getenv("COLUMNS")) {
    const std::string_view given(text);
    std::size_t columns = 0;
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), columns);
    if (error == std::errc{} && end == given.data() + given.size() && columns > 0) return columns;
  }
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace pimsweep::commands
