#include "base/regular_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/error.h"

namespace pimsweep {

namespace {

std::string_view kind_of(std::filesystem::file_type type) {
  using std::filesystem::file_type;
  switch (type) {
    case file_type::directory:
      return "a folder";
    case file_type::fifo:
      return "a FIFO";
    case file_type::socket:
      return "a socket";
    case file_type::block:
    case file_type::character:
      return "a device";
    default:
      return "of unknown kind";
  }
}

}  // namespace

void require_regular_file(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::file_type type = std::filesystem::status(path, ignored).type();
  using std::filesystem::file_type;
  if (type == file_type::regular || type == file_type::not_found || type == file_type::none) return;
  throw InputError(fmt::format("cannot read '{}': it is {}, not a regular file", path, kind_of(type)));
}

}  // namespace pimsweep
