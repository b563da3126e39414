#include "hardware/dram/simulation.h"

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "base/vector_clones.h"
#include "hardware/dram/channel.h"
#include "hardware/dram/periods.h"

namespace pimsweep::hardware::dram {

/// Source of requests with given cycles, in parts.
class ListSource {
 public:
  using NextPart = std::function<std::span<const TimedRequest>()>;
  explicit ListSource(NextPart next_part) : next_part_(std::move(next_part)) { refill(); }
  bool more() const { return next_ < part_.size(); }
  std::int64_t due() const { return part_[next_].due; }
  Request next() {
    const Request request = part_[next_++].request;
    if (next_ == part_.size()) refill();
    return request;
  }

 private:
  [[gnu::noinline]] void refill() {
    part_ = next_part_();
    next_ = 0;
  }

  NextPart next_part_;
  std::span<const TimedRequest> part_;
  std::size_t next_ = 0;
};

// Compiled for several instruction sets; the loader picks the best one. All arithmetic is on integers, so results are
// identical.
PIMSWEEP_VECTOR_CLONES [[gnu::flatten]] void run_traffic(Channel& channel, TrafficSource& source, Periods& periods) {
  channel.run<false>(source, periods);
}

PIMSWEEP_VECTOR_CLONES [[gnu::flatten]] void run_plain_traffic(Channel& channel, TrafficSource& source,
                                                               Periods& periods) {
  channel.run<true>(source, periods);
}

PIMSWEEP_VECTOR_CLONES [[gnu::flatten]] void run_list(Channel& channel, ListSource& source, Periods& periods) {
  channel.run<false>(source, periods);
}

Result simulate(const Dram& dram, const ControllerOptions& options, const Traffic& traffic, std::int64_t channel) {
  TrafficSource source(dram.organization, traffic, channel);
  const Regularities laws = options.skip_periods && options.has_periods() ? source.regularities() : Regularities{};
  Channel simulated(dram, options, laws.coarse.period == 0);
  Periods periods(laws);
  simulated.plain() ? run_plain_traffic(simulated, source, periods) : run_traffic(simulated, source, periods);
  return simulated.result();
}

namespace {

Result simulate_parts(const Dram& dram, const ControllerOptions& options, ListSource::NextPart next_part,
                      TraceLog* log) {
  Channel channel(dram, options, true, log);
  ListSource source(std::move(next_part));
  Periods periods({});
  run_list(channel, source, periods);
  return channel.result();
}

}  // namespace

Result simulate(const Dram& dram, const ControllerOptions& options, std::span<const Request> requests) {
  std::vector<TimedRequest> timed;
  timed.reserve(requests.size());
  for (const Request& request : requests) timed.push_back({request, -1});
  return simulate(dram, options, timed);
}

Result simulate(const Dram& dram, const ControllerOptions& options, std::span<const TimedRequest> requests) {
  return simulate_parts(
      dram, options, [&] { return std::exchange(requests, {}); }, nullptr);
}

Result simulate(const Dram& dram, const ControllerOptions& options, TraceSource& trace, TraceLog& log) {
  return simulate_parts(
      dram, options, [&] { return std::span<const TimedRequest>(trace.next_part()); }, &log);
}

}  // namespace pimsweep::hardware::dram
