#include "driver/host_cores.h"

#include <algorithm>

namespace pimsweep::driver {

void HostCores::add(std::string_view host, int cores) {
  // Ranks of a host mostly follow each other.
  const auto found =
      std::find_if(hosts_.rbegin(), hosts_.rend(), [&](const Host& known) { return known.name == host; });
  std::size_t number = hosts_.size();
  if (found == hosts_.rend()) {
    hosts_.push_back({.name = std::string(host)});
  } else {
    number = static_cast<std::size_t>(hosts_.rend() - found) - 1;
  }
  hosts_[number].cores = std::max(hosts_[number].cores, cores);
  ranks_.push_back({.host = number});
}

void HostCores::set(std::size_t rank, bool is_there, bool is_busy) {
  Rank& known = ranks_[rank];
  Host& host = hosts_[known.host];
  host.there += static_cast<std::uint64_t>(is_there) - static_cast<std::uint64_t>(known.is_there);
  host.busy += static_cast<std::uint64_t>(is_busy) - static_cast<std::uint64_t>(known.is_busy);
  known.is_there = is_there;
  known.is_busy = is_busy;
}

unsigned HostCores::threads(std::size_t rank, std::uint64_t waiting) const {
  const Host& host = hosts_[ranks_[rank].host];
  const std::uint64_t idle = host.there - std::min(host.there, host.busy);
  const std::uint64_t points = std::max<std::uint64_t>(1, host.busy + std::min(idle, waiting));
  return static_cast<unsigned>(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(host.cores) / points));
}

}  // namespace pimsweep::driver
