#include "hardware/dram/controller.h"

#include <cstddef>

#include "base/vector_clones.h"
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
// same.
PIMSWEEP_VECTOR_CLONES [[gnu::flatten]] void run_traffic(Channel& channel, TrafficSource& source) {
  channel.run(source);
}

PIMSWEEP_VECTOR_CLONES [[gnu::flatten]] void run_list(Channel& channel, ListSource& source) { channel.run(source); }

Result simulate(const Dram& dram, const ControllerOptions& options, const Traffic& traffic, std::int64_t channel) {
  TrafficSource source(dram.organization, traffic, channel);
  Channel simulated(dram, options, options.skip_periods ? source.regularities() : Regularities{});
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
