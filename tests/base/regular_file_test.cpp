#include "base/regular_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "base/error.h"
#include "base/posix_file.h"

using namespace pimsweep;

TEST_CASE("anything but a regular file is refused before it is opened") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  const std::string fifo = (folder / ("pimsweep-fifo-" + std::to_string(::getpid()))).string();
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  // Opening it would wait for a writer.
  CHECK_THROWS_WITH(read_file(fifo), Catch::Contains("it is a FIFO, not a regular file"));
  std::filesystem::remove(fifo);
  CHECK_THROWS_WITH(read_file("/dev/zero"), Catch::Contains("it is a device"));
  CHECK_THROWS_WITH(read_file(folder.string()), Catch::Contains("it is a folder"));
  CHECK_NOTHROW(require_regular_file("/proc/self/exe"));
  CHECK_NOTHROW(require_regular_file("/no/such/file"));
}
