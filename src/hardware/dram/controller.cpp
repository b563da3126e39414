#include "hardware/dram/controller.h"

#include <cstddef>

#include "hardware/dram/channel.h"

namespace pimsweep::hardware::dram {

/// Offers the requests of a list.
class ListSource {
 public:
  explicit ListSource(std::span<const Request> requests) : requests_(requests) {}
  bool more() const { return next_ < requests_.size(); }
  Request next() { return requests_[next_++]; }

 private:
  std::span<const Request> requests_;
  std::size_t next_ = 0;
};

// Compiled for several instruction sets, of which the loader takes the best one: integers only, so that all give the
// same. The thread sanitizer is not ready yet when the loader chooses, and clang does not combine both attributes.
#if defined(__x86_64__) && defined(__ELF__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
[[gnu::target_clones("default", "avx2"), gnu::flatten]]
#endif
void run_traffic(Channel& channel, TrafficSource& source) {
  channel.run(source);
}

#if defined(__x86_64__) && defined(__ELF__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
[[gnu::target_clones("default", "avx2"), gnu::flatten]]
#endif
void run_list(Channel& channel, ListSource& source) {
  channel.run(source);
}

Result simulate(const Dram& dram, const ControllerOptions& options, const Traffic& traffic, std::int64_t channel) {
  TrafficSource source(dram.organization, traffic, channel);
  Channel simulated(dram, options, source.fine_regularity());
  run_traffic(simulated, source);
  return simulated.result();
}

Result simulate(const Dram& dram, const ControllerOptions& options, std::span<const Request> requests) {
  Channel channel(dram, options);
  ListSource source(requests);
  run_list(channel, source);
  return channel.result();
}

}  // namespace pimsweep::hardware::dram
