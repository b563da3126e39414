#include "hardware/noc/router/synthetic_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "hardware/noc/router/random.h"
#include "hardware/noc/router/router_network.h"
#include "hardware/noc/router/traffic_estimate.h"

namespace pimsweep::hardware::noc::router {

namespace {

constexpr unsigned warm_up_periods = 3;
constexpr unsigned max_periods = 10;
constexpr unsigned converged_periods = 3;
constexpr double max_change = 0.05;
constexpr double max_latency = 500;
constexpr unsigned drain_check = 1000;
constexpr double min_accepted = 0.95;

enum class Goal : std::uint8_t { latency, throughput };

/// Sums over measured packets.
struct Statistics {
  std::uint64_t packets = 0;
  std::uint64_t latency = 0;
  std::uint64_t network_latency = 0;
  std::uint64_t hops = 0;
};

/// Packets of all nodes in the order of their creation; a node whose source is busy creates the next one later, with
/// the time at which it was due.
class Creation {
 public:
  Creation(const Lattice& lattice, const SyntheticTraffic& traffic)
      : pattern_(traffic.pattern, lattice),
        nodes_(lattice.nodes()),
        packet_size_(traffic.packet_size),
        log_failure_(std::log1p(-traffic.injection_rate / traffic.packet_size)),
        random_(nodes_),
        due_(nodes_),
        next_(nodes_, none),
        first_(days, none) {
    for (std::uint32_t node = 0; node < nodes_; ++node) {
      random_[node] = Random(traffic.seed, node);
      due_[node] = random_[node].trials(log_failure_) - 1;
      wait(node, 0);
    }
  }

  /// The source of a node is free from `time` on.
  void wait(std::uint32_t node, std::uint64_t time) {
    std::uint32_t& first = first_[std::max(due_[node], time) % days];
    next_[node] = first;
    first = node;
  }

  /// Calls start(packet) for each free source with a packet due.
  template <typename Start>
  void create(std::uint64_t time, Start start) {
    std::uint32_t node = first_[time % days];
    first_[time % days] = none;
    while (node != none) {
      const std::uint32_t following = next_[node];
      if (due_[node] > time) {
        wait(node, time);
      } else {
        Packet packet;
        packet.source = node;
        packet.destination = pattern_.destination(node, random_[node]);
        packet.flits = packet_size_;
        packet.created = due_[node];
        packet.tie_up = static_cast<std::uint32_t>(random_[node].bits() >> 32);
        due_[node] += random_[node].trials(log_failure_);
        start(packet);
      }
      node = following;
    }
  }

  /// Whether every node has created all its packets of the time before `time`.
  bool complete_until(std::uint64_t time) const {
    for (const std::uint64_t due : due_) {
      if (due < time) return false;
    }
    return true;
  }

 private:
  static constexpr std::uint32_t none = ~0U;
  /// Number of lists of waiting nodes, indexed by their due time modulo this number.
  static constexpr std::uint64_t days = 1024;

  TrafficPattern pattern_;
  std::uint32_t nodes_;
  unsigned packet_size_;
  double log_failure_;
  std::vector<Random> random_;
  std::vector<std::uint64_t> due_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> first_;
};

class Run {
 public:
  Run(const Lattice& lattice, const RouterSettings& settings, const SyntheticTraffic& traffic, Goal goal)
      : lattice_(lattice),
        traffic_(traffic),
        goal_(goal),
        network_(make_router_network(lattice, settings)),
        creation_(lattice, traffic) {}

  TrafficResult result() {
    const bool stable = measure() && (goal_ == Goal::throughput || drain());
    if (stable) {
      state_ = State::ended;
      while (!network_->empty()) cycle();
    }
    const auto packets = static_cast<double>(statistics_.packets);
    return {.packet_latency = static_cast<double>(statistics_.latency) / packets,
            .network_latency = static_cast<double>(statistics_.network_latency) / packets,
            .hops = static_cast<double>(statistics_.hops) / packets,
            .accepted_rate = accepted_rate_,
            .saturated = !stable,
            .cycles = network_->time(),
            .measured_cycles = measured_cycles_,
            .flit_hops = network_->flit_hops()};
  }

 private:
  enum class State : std::uint8_t { warming_up, measuring, draining, ended };

  void cycle() {
    network_->begin_cycle();
    const std::uint64_t now = network_->time();
    for (const std::uint32_t node : network_->freed_sources()) creation_.wait(node, now);
    for (const Packet& packet : network_->delivered()) {
      if (packet.measured) --measured_under_way_;
      if (state_ != State::warming_up && !packet.measured) continue;
      ++statistics_.packets;
      statistics_.latency += now - packet.created;
      statistics_.network_latency += now - packet.entered;
      statistics_.hops += lattice_.hops(packet.source, packet.destination);
    }
    if (state_ != State::ended) {
      creation_.create(now, [&](Packet& packet) {
        packet.measured =
            state_ == State::measuring || (state_ == State::draining && packet.created < end_of_measurement_);
        if (packet.measured) ++measured_under_way_;
        network_->send(packet);
      });
    }
    network_->finish_cycle();
  }

  bool too_slow() const {
    const auto packets = static_cast<double>(statistics_.packets);
    const auto flits = static_cast<double>(network_->flits_under_way());
    const double age = static_cast<double>(statistics_.latency) + network_->age_of_flits_under_way();
    return goal_ == Goal::latency && age > max_latency * (packets + flits);
  }

  void clear() {
    statistics_ = {};
    start_ = network_->time();
    taken_before_ = network_->taken_flits();
  }

  /// Warm-up and measurement; false if the network is too slow.
  bool measure() {
    double last_latency = 0;
    double last_rate = 0;
    unsigned converged = 0;
    for (unsigned period = 0; period < max_periods && converged < converged_periods; ++period) {
      if (period == warm_up_periods) state_ = State::measuring;
      // The warm-up discards its own beginning.
      if (period % 2 == 0 ? period <= warm_up_periods : period == warm_up_periods) clear();
      for (unsigned i = 0; i < traffic_.sample_period; ++i) cycle();
      measured_cycles_ = network_->time() - start_;
      const double latency = static_cast<double>(statistics_.latency) / static_cast<double>(statistics_.packets);
      accepted_rate_ = static_cast<double>(network_->taken_flits() - taken_before_) /
                       static_cast<double>(measured_cycles_) / lattice_.nodes();
      const bool latency_changed = std::abs(latency - last_latency) > max_change * latency;
      const bool rate_changed = std::abs(accepted_rate_ - last_rate) > max_change * accepted_rate_;
      last_latency = latency;
      last_rate = accepted_rate_;
      if (too_slow()) return false;
      if (state_ != State::measuring) continue;
      converged = (goal_ == Goal::latency && latency_changed) || rate_changed ? 0 : converged + 1;
    }
    return true;
  }

  /// Runs until all measured packets have arrived; false if the network is too slow.
  bool drain() {
    state_ = State::draining;
    end_of_measurement_ = network_->time();
    for (unsigned step = 1; measured_under_way_ != 0 || !creation_.complete_until(end_of_measurement_); ++step) {
      cycle();
      if (step % drain_check == 0 && too_slow()) return false;
    }
    return true;
  }

  const Lattice& lattice_;
  const SyntheticTraffic& traffic_;
  Goal goal_;
  std::unique_ptr<RouterNetwork> network_;
  Creation creation_;
  State state_ = State::warming_up;
  Statistics statistics_;
  std::uint64_t start_ = 0;
  std::uint64_t taken_before_ = 0;
  std::uint64_t measured_under_way_ = 0;
  std::uint64_t end_of_measurement_ = 0;
  std::uint64_t measured_cycles_ = 0;
  double accepted_rate_ = 0;
};

/// Clearly less than the offered traffic was accepted: by 5 % and by more than the number of packets fluctuates.
bool falls_short(const TrafficResult& result, const Lattice& lattice, const SyntheticTraffic& traffic) {
  const double missing = traffic.injection_rate - result.accepted_rate;
  const double node_cycles = static_cast<double>(result.measured_cycles) * lattice.nodes();
  const double deviation = std::sqrt(traffic.injection_rate * traffic.packet_size / node_cycles);
  return missing > std::max((1 - min_accepted) * traffic.injection_rate, 3 * deviation);
}

}  // namespace

unsigned min_sample_period(const Lattice& lattice, const RouterSettings& settings, unsigned packet_size) {
  // Node 0 is at a corner of a mesh; on the other networks every node is as far from the farthest one.
  unsigned longest = 0;
  for (unsigned node = 0; node < lattice.nodes(); ++node) longest = std::max(longest, lattice.hops(0, node));
  return static_cast<unsigned>(std::ceil(zero_load_latency(settings, longest, packet_size) / warm_up_periods));
}

TrafficResult simulate(const Lattice& lattice, const RouterSettings& settings, const SyntheticTraffic& traffic) {
  if (traffic.packet_size < 1 || !(traffic.injection_rate > 0) || traffic.injection_rate > 1 ||
      traffic.sample_period < 1) {
    throw std::invalid_argument(
        fmt::format("packet_size is {}, injection_rate {}, sample_period {}: a packet has at least 1 flit, a node "
                    "injects more than 0 "
                    "and at most 1 flit in a cycle, a period has at least 1 cycle",
                    traffic.packet_size, traffic.injection_rate, traffic.sample_period));
  }
  if (const unsigned shortest = min_sample_period(lattice, settings, traffic.packet_size);
      traffic.sample_period < shortest) {
    throw std::invalid_argument(fmt::format(
        "sample_period is {}, but a packet on the longest route arrives within the warm-up of three periods "
        "only from {} cycles on",
        traffic.sample_period, shortest));
  }
  TrafficResult result = Run(lattice, settings, traffic, Goal::latency).result();
  if (result.saturated || falls_short(result, lattice, traffic)) {
    result = Run(lattice, settings, traffic, Goal::throughput).result();
    result.saturated = true;
  }
  return result;
}

}  // namespace pimsweep::hardware::noc::router
