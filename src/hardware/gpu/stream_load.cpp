#include "hardware/gpu/stream_load.h"

#include <algorithm>
#include <array>

namespace pimsweep::hardware::gpu {

std::string_view name_of(PairBound bound) {
  constexpr std::array<std::string_view, 8> names{"serial", "alone", "host",   "turns",
                                                  "places", "units", "memory", "cache"};
  return names[static_cast<std::size_t>(bound)];
}

StreamLoad load_of(const Device& device, const KernelCost& cost, double rate) {
  StreamLoad load;
  load.work = cost.work_seconds;
  load.launch = cost.seconds - cost.work_seconds;
  // Capped, as the summed demands of a chain of kernels may exceed its time in the model.
  load.held = std::min(load.work, cost.held_seconds);
  load.units = std::min(load.work, cost.operations / (rate * device.multiprocessors));
  load.memory = std::min(load.work, cost.memory_bytes / (device.memory_bandwidth * device.memory_efficiency));
  load.cache = std::min(load.work, cost.cache_bytes / (device.cache_bytes_per_cycle * device.clock));
  return load;
}

PairTime pair_time(const StreamLoad& one, const StreamLoad& other, double host, CoRun how) {
  const double first = host + one.alone();
  const double second = host + other.alone();
  if (how == CoRun::serial) return {first + second, PairBound::serial};

  PairTime pair{std::max(first, second), PairBound::alone};
  const auto at_least = [&pair](double seconds, PairBound bound) {
    if (seconds > pair.seconds) pair = {seconds, bound};
  };
  if (how == CoRun::streams) at_least(2 * host + one.launch + other.launch, PairBound::host);
  if (how == CoRun::processes) {
    at_least(one.work + other.work, PairBound::turns);
    return pair;
  }
  at_least(one.held + other.held, PairBound::places);
  at_least(one.units + other.units, PairBound::units);
  at_least(one.memory + other.memory, PairBound::memory);
  at_least(one.cache + other.cache, PairBound::cache);
  return pair;
}

}  // namespace pimsweep::hardware::gpu
