#include "commands/output.h"

#include <fmt/format.h>

#include <fstream>

#include "base/error.h"
#include "base/print.h"

namespace pimsweep::commands {

void write_output(const std::string& path, const std::string& text) {
  if (path == standard_output) {
    print_to(stdout, "{}", text);
    return;
  }
  std::ofstream stream(path);
  stream << text << std::flush;
  if (!stream) throw InputError(fmt::format("cannot write '{}'", path));
}

}  // namespace pimsweep::commands
