#include "base/regular_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

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

int open_regular_file(const std::string& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644);
  if (descriptor < 0) {
    if (errno == ELOOP && (flags & O_NOFOLLOW) != 0)
      throw InputError(fmt::format("cannot open '{}': it is a symbolic link", path));
    throw std::system_error(errno, std::generic_category(), fmt::format("cannot open '{}'", path));
  }
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) return descriptor;
  ::close(descriptor);
  throw InputError(fmt::format("cannot open '{}': it is not a regular file", path));
}

std::string suggest_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return {};
  const std::filesystem::path file(path);
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == file.extension()) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return suggestion(file.filename().string(), names);
}

}  // namespace pimsweep
