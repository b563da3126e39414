#include "driver/communicator.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <thread>

namespace pimsweep::driver {

void BackOff::sleep() {
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds_));
  waited_ += microseconds_;
  constexpr std::int64_t second = 1'000'000;
  microseconds_ = std::min<std::int64_t>(2 * microseconds_, waited_ < second ? 1'000 : 10'000);
}

std::string Communicator::host() {
  // Not MPI_Get_processor_name: commands that run without MPI need the host name too.
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace pimsweep::driver
