#include "hardware/dram/simulation.h"

#include <cstddef>

#include "base/vector_clones.h"
#include "hardware/dram/channel.h"
#include "hardware/dram/periods.h"

namespace pimsweep::hardware::dram {

/// Source of the requests of a list.
class ListSource {
 public:
  explicit ListSource(std::span<const Request> requests) : requests_(requests) {}
  bool more() const { return next_ < requests_.size(); }
  Request next() { return requests_[next_++]; }

 private:
  std::span<const Request> requests_;
  std::size_t next_ = 0;
};

// Compiled for several instruction sets; the loader picks the best one. All arithmetic is on integers, so results are
// identical.
PIMSWEEP_VECTOR_CLONES [[gnu::flatten]] void run_traffic(Channel& channel, TrafficSource& source, Periods& periods) {
  channel.run(source, periods);
}

PIMSWEEP_VECTOR_CLONES [[gnu::flatten]] void run_list(Channel& channel, ListSource& source, Periods& periods) {
  channel.run(source, periods);
}

Result simulate(const Dram& dram, const ControllerOptions& options, const Traffic& traffic, std::int64_t channel) {
  TrafficSource source(dram.organization, traffic, channel);
  const Regularities laws = options.skip_periods ? source.regularities() : Regularities{};
  Channel simulated(dram, options, laws.coarse.period == 0);
  Periods periods(laws);
  run_traffic(simulated, source, periods);
  return simulated.result();
}

Result simulate(const Dram& dram, const ControllerOptions& options, std::span<const Request> requests) {
  Channel channel(dram, options, true);
  ListSource source(requests);
  Periods periods({});
  run_list(channel, source, periods);
  return channel.result();
}

}  // namespace pimsweep::hardware::dram
