#include "base/text_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "base/error.h"

namespace pimsweep {

std::string read_text_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError(fmt::format("cannot read '{}': it is a directory", path));
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (stream) {
    std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (!stream.bad()) return text;
  }
  const std::string reason = errno == 0 ? "input error" : std::generic_category().message(errno);
  throw InputError(fmt::format("cannot read '{}': {}", path, reason));
}

}  // namespace pimsweep
