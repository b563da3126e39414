#include "hardware/noc/router/synthetic_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <vector>

#include "base/team.h"
#include "base/threads.h"
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

/// Clearly less than the offered traffic was accepted: by 5 % and by more than the statistical variation of the number
/// of packets.
bool falls_short(double accepted_rate, std::uint64_t measured_cycles, const Lattice& lattice,
                 const SyntheticTraffic& traffic) {
  const double missing = traffic.injection_rate - accepted_rate;
  const double node_cycles = static_cast<double>(measured_cycles) * lattice.nodes();
  const double deviation = std::sqrt(traffic.injection_rate * traffic.packet_size / node_cycles);
  return missing > std::max((1 - min_accepted) * traffic.injection_rate, 3 * deviation);
}

/// Sums over measured packets.
struct Statistics {
  std::uint64_t packets = 0;
  std::uint64_t latency = 0;
  std::uint64_t network_latency = 0;
  std::uint64_t hops = 0;
};

/// State that determines the course of a run: sums over a tile, or over all tiles. Sums over one tile may wrap.
struct Sums {
  Statistics statistics;
  TrafficCounts counts;
  std::uint64_t measured_under_way = 0;
  /// Tiles whose nodes have not yet created all packets of the measurement.
  std::uint64_t incomplete = 0;

  Sums& operator+=(const Sums& other) {
    statistics.packets += other.statistics.packets;
    statistics.latency += other.statistics.latency;
    statistics.network_latency += other.statistics.network_latency;
    statistics.hops += other.statistics.hops;
    counts += other.counts;
    measured_under_way += other.measured_under_way;
    incomplete += other.incomplete;
    return *this;
  }
};

/// Packets of some nodes in the order of their creation. A node whose source is busy creates its next packet later,
/// with the time at which it was due.
class Creation {
 public:
  /// For nodes first to end - 1.
  Creation(const TrafficPattern& pattern, const SyntheticTraffic& traffic, std::uint32_t first, std::uint32_t end)
      : pattern_(pattern),
        first_node_(first),
        packet_size_(traffic.packet_size),
        log_failure_(std::log1p(-traffic.injection_rate / traffic.packet_size)),
        random_(end - first),
        due_(end - first),
        next_(end - first, none),
        first_(due_lists, none) {
    for (std::uint32_t i = 0; i < random_.size(); ++i) {
      random_[i] = Random(traffic.seed, first + i);
      due_[i] = random_[i].trials(log_failure_) - 1;
      wait(first + i, 0);
    }
  }

  /// The source of a node is free from `time` on.
  void wait(std::uint32_t node, std::uint64_t time) {
    const std::uint32_t i = node - first_node_;
    std::uint32_t& first = first_[std::max(due_[i], time) % due_lists];
    next_[i] = first;
    first = i;
  }

  /// Calls start(packet) for each free source with a packet due.
  template <typename Start>
  void create(std::uint64_t time, Start start) {
    std::uint32_t i = first_[time % due_lists];
    first_[time % due_lists] = none;
    while (i != none) {
      const std::uint32_t following = next_[i];
      const std::uint32_t node = first_node_ + i;
      if (due_[i] > time) {
        wait(node, time);
      } else {
        Packet packet;
        packet.source = node;
        packet.destination = pattern_.destination(node, random_[i]);
        packet.flits = packet_size_;
        packet.created = due_[i];
        packet.tie_up = static_cast<std::uint32_t>(random_[i].bits() >> 32);
        due_[i] += random_[i].trials(log_failure_);
        start(packet);
      }
      i = following;
    }
  }

  /// True if every node has created all its packets due before `time`; call with one value of `time` only.
  bool complete_until(std::uint64_t time) {
    while (complete_ < due_.size() && due_[complete_] >= time) ++complete_;
    return complete_ == due_.size();
  }

 private:
  static constexpr std::uint32_t none = ~0U;
  /// Number of lists of waiting nodes, indexed by their due time modulo this number.
  static constexpr std::uint64_t due_lists = 1024;

  const TrafficPattern& pattern_;
  std::uint32_t first_node_;
  unsigned packet_size_;
  double log_failure_;
  std::vector<Random> random_;
  std::vector<std::uint64_t> due_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> first_;
  std::size_t complete_ = 0;
};

/// Minimum number of routers per thread: fewer take a microsecond or less per cycle, about as long as a barrier.
constexpr unsigned min_thread_routers = 64;
/// Number of routers whose state fits into a second-level cache; a thread simulates a cycle for so many routers at a
/// time.
constexpr unsigned tile_routers = 512;

/// Tiles of about that size, the same number for each thread.
unsigned num_tiles(unsigned routers, unsigned threads) {
  const unsigned for_each_thread = (routers + tile_routers * threads - 1) / (tile_routers * threads);
  return threads * for_each_thread;
}

/// State shared by the threads of a run.
class Shared {
 public:
  Shared(const Lattice& lattice, const RouterSettings& settings, const SyntheticTraffic& traffic)
      : lattice_(lattice),
        settings_(settings),
        traffic_(traffic),
        pattern_(traffic.pattern, lattice),
        team_(std::clamp(lattice.routers() / min_thread_routers, 1U, PointThreads::allowed())),
        network_(make_router_network(lattice, settings, num_tiles(lattice.routers(), team_.members()))),
        places_(2 * std::size_t{team_.members()}) {}

  const Lattice& lattice() const { return lattice_; }
  const SyntheticTraffic& traffic() const { return traffic_; }
  const TrafficPattern& pattern() const { return pattern_; }
  RouterNetwork& network() { return *network_; }
  /// A second network for snapshots of this one; created at the first call.
  RouterNetwork& spare() {
    std::call_once(spare_made_, [this] { spare_ = make_router_network(lattice_, settings_, network_->tiles()); });
    return *spare_;
  }
  Team& team() { return team_; }

  /// The tiles of a member of the team: from its first tile to the first tile of the next member.
  unsigned first_tile(unsigned member) const { return network_->tiles() * member / team_.members(); }

  /// The sums over all tiles after a cycle, once all threads have called this; `round` counts the calls.
  Sums add_up(unsigned member, const Sums& own, unsigned round) {
    Place* const places = &places_[round % 2 == 0 ? 0 : team_.members()];
    places[member].sums = own;
    team_.meet();
    Sums all = places[0].sums;
    for (unsigned other = 1; other < team_.members(); ++other) all += places[other].sums;
    return all;
  }

 private:
  /// The sums of each tile, alternately in two places: a thread may already write the next sums while another still
  /// reads.
  struct alignas(64) Place {
    Sums sums;
  };

  const Lattice& lattice_;
  const RouterSettings& settings_;
  const SyntheticTraffic& traffic_;
  TrafficPattern pattern_;
  Team team_;
  std::unique_ptr<RouterNetwork> network_;
  std::once_flag spare_made_;
  std::unique_ptr<RouterNetwork> spare_;
  std::vector<Place> places_;
};

/// One thread's part of a run: some tiles of the network. All threads make the same decisions from the sums over all
/// tiles.
class Part {
 public:
  Part(Shared& shared, unsigned member)
      : shared_(shared), network_(&shared.network()), member_(member), first_tile_(shared.first_tile(member)) {
    for (unsigned tile = first_tile_; tile < shared.first_tile(member + 1); ++tile) {
      creations_.emplace_back(shared.pattern(), shared.traffic(), network_->first_node(tile),
                              network_->first_node(tile + 1));
    }
  }

  TrafficResult run() {
    measure();
    if (!saturated_ && falls_short(accepted_rate_, measured_cycles_, shared_.lattice(), shared_.traffic())) {
      settle_for_rate();
    }
    if (!saturated_) drain();
    state_ = State::ended;
    while (!sums_.counts.empty()) do_cycles(1);
    const Statistics& statistics = sums_.statistics;
    const auto packets = static_cast<double>(statistics.packets);
    return TrafficResult{.packet_latency = static_cast<double>(statistics.latency) / packets,
                         .network_latency = static_cast<double>(statistics.network_latency) / packets,
                         .hops = static_cast<double>(statistics.hops) / packets,
                         .accepted_rate = accepted_rate_,
                         .saturated = saturated_,
                         .cycles = now(),
                         .measured_cycles = measured_cycles_,
                         .flit_hops = sums_.counts.flit_hops};
  }

 private:
  enum class State : std::uint8_t { warming_up, measuring, draining, ended };

  std::uint64_t now() const { return network_->time(first_tile_); }

  /// Simulates some cycles, each tile as many as possible before the next tile, so that its state stays in the cache.
  void do_cycles(unsigned cycles) {
    while (cycles > 0) {
      const auto left_of_round = round_cycles - static_cast<unsigned>(now() % round_cycles);
      const unsigned batch = std::min({cycles, network_->lookahead(), left_of_round});
      for (unsigned i = 0; i < creations_.size(); ++i) {
        for (unsigned done = 0; done < batch; ++done) cycle(first_tile_ + i, creations_[i]);
      }
      add_up();
      cycles -= batch;
    }
  }

  void cycle(unsigned tile, Creation& creation) {
    network_->begin_cycle(tile);
    const std::uint64_t now = network_->time(tile);
    for (const std::uint32_t node : network_->freed_sources(tile)) creation.wait(node, now);
    for (const Packet& packet : network_->delivered(tile)) {
      if (packet.measured) --own_.measured_under_way;
      if (state_ != State::warming_up && !packet.measured) continue;
      ++own_.statistics.packets;
      own_.statistics.latency += now - packet.created;
      own_.statistics.network_latency += now - packet.entered;
      own_.statistics.hops += shared_.lattice().hops(packet.source, packet.destination);
    }
    if (state_ != State::ended) {
      creation.create(now, [&](Packet& packet) {
        packet.measured =
            state_ == State::measuring || (state_ == State::draining && packet.created < end_of_measurement_);
        if (packet.measured) ++own_.measured_under_way;
        network_->send(tile, packet);
      });
    }
    network_->finish_cycle(tile);
  }

  /// Sums over all tiles, once all threads have arrived.
  void add_up() {
    own_.counts = {};
    own_.incomplete = 0;
    for (unsigned i = 0; i < creations_.size(); ++i) {
      own_.counts += network_->counts(first_tile_ + i);
      if (state_ == State::draining && !creations_[i].complete_until(end_of_measurement_)) ++own_.incomplete;
    }
    sums_ = shared_.add_up(member_, own_, round_++);
  }

  bool too_slow() const {
    const auto packets = static_cast<double>(sums_.statistics.packets);
    const auto flits = static_cast<double>(sums_.counts.flits_under_way);
    const double age = static_cast<double>(sums_.statistics.latency) + sums_.counts.age_of_flits(now());
    return !saturated_ && age > max_latency * (packets + flits);
  }

  void clear() {
    own_.statistics = {};
    start_ = now();
    taken_before_ = sums_.counts.taken_flits;
  }

  /// End of a run for the accepted rate alone.
  struct End {
    Sums own;
    Sums sums;
    std::uint64_t measured_cycles;
    double accepted_rate;
  };

  /// Saves the state of the run, in case the network turns out to be saturated.
  void save_end() {
    for (unsigned i = 0; i < creations_.size(); ++i) shared_.spare().copy_tile(first_tile_ + i, *network_);
    end_of_rate_ = {own_, sums_, measured_cycles_, accepted_rate_};
    // No thread takes what others have sent before they have saved it.
    shared_.team().meet();
  }
  void return_to_end() {
    network_ = &shared_.spare();
    own_ = end_of_rate_->own;
    sums_ = end_of_rate_->sums;
    measured_cycles_ = end_of_rate_->measured_cycles;
    accepted_rate_ = end_of_rate_->accepted_rate;
  }

  /// From now on the run is that of a saturated network, of which only the accepted rate matters. So far both kinds of
  /// run are identical; but if the rate had converged before, the other run would have ended then.
  void settle_for_rate() {
    saturated_ = true;
    if (rate_was_known_) return_to_end();
  }

  /// Warm-up and measurement.
  void measure() {
    double last_latency = 0;
    double last_rate = 0;
    unsigned converged = 0;
    unsigned converged_rates = 0;
    for (unsigned period = 0; period < max_periods && converged < converged_periods; ++period) {
      if (converged_rates >= converged_periods && !saturated_ && !end_of_rate_) save_end();
      if (period == warm_up_periods) state_ = State::measuring;
      // The warm-up discards its own beginning.
      if (period % 2 == 0 ? period <= warm_up_periods : period == warm_up_periods) clear();
      do_cycles(shared_.traffic().sample_period);
      measured_cycles_ = now() - start_;
      const double latency =
          static_cast<double>(sums_.statistics.latency) / static_cast<double>(sums_.statistics.packets);
      accepted_rate_ = static_cast<double>(sums_.counts.taken_flits - taken_before_) /
                       static_cast<double>(measured_cycles_) / shared_.lattice().nodes();
      const bool latency_changed = std::abs(latency - last_latency) > max_change * latency;
      const bool rate_changed = std::abs(accepted_rate_ - last_rate) > max_change * accepted_rate_;
      last_latency = latency;
      last_rate = accepted_rate_;
      rate_was_known_ = converged_rates >= converged_periods;
      if (too_slow()) {
        settle_for_rate();
        if (rate_was_known_) return;
        converged = converged_rates;
      }
      if (state_ != State::measuring) continue;
      converged_rates = rate_changed ? 0 : converged_rates + 1;
      converged = (!saturated_ && latency_changed) || rate_changed ? 0 : converged + 1;
    }
  }

  /// Runs until all measured packets have arrived, unless the network is too slow.
  void drain() {
    if (!end_of_rate_) save_end();
    state_ = State::draining;
    end_of_measurement_ = now();
    add_up();
    for (unsigned step = 1; sums_.measured_under_way != 0 || sums_.incomplete != 0; ++step) {
      do_cycles(1);
      if (step % drain_check != 0 || !too_slow()) continue;
      saturated_ = true;
      return_to_end();
      return;
    }
  }

  Shared& shared_;
  RouterNetwork* network_;
  unsigned member_;
  unsigned first_tile_;
  /// Packets of each of its tiles.
  std::vector<Creation> creations_;
  State state_ = State::warming_up;
  bool saturated_ = false;
  /// True if the accepted rate alone had converged before the latest period.
  bool rate_was_known_ = false;
  /// Sums over this tile, and over all tiles after the last cycle.
  Sums own_;
  Sums sums_;
  unsigned round_ = 0;
  std::uint64_t start_ = 0;
  std::uint64_t taken_before_ = 0;
  std::uint64_t end_of_measurement_ = 0;
  std::uint64_t measured_cycles_ = 0;
  double accepted_rate_ = 0;
  std::optional<End> end_of_rate_;
};

}  // namespace

unsigned min_sample_period(const Lattice& lattice, const RouterSettings& settings, unsigned packet_size) {
  // Node 0 is at a corner of a mesh; in the other networks all nodes are equally far from their farthest node.
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
  Shared shared(lattice, settings, traffic);
  TrafficResult result{};
  shared.team().run([&](unsigned member) {
    const TrafficResult found = Part(shared, member).run();
    if (member == 0) result = found;
  });
  return result;
}

}  // namespace pimsweep::hardware::noc::router
