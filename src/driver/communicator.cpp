#include "driver/communicator.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <thread>

namespace pimsweep::driver {

void BackOff::sleep() {
  constexpr std::int64_t second = 1'000'000;
  const std::int64_t microseconds =
      std::clamp<std::int64_t>(waited_microseconds_ / 8, 20, waited_microseconds_ < second ? 1'000 : 10'000);
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
  waited_microseconds_ += microseconds;
}

std::string Communicator::host() {
  // Not MPI_Get_processor_name: commands that run without MPI need the host name too.
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace pimsweep::driver
