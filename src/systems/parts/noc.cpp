#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/bounded_cache.h"
#include "base/error.h"
#include "hardware/noc/router/traffic_estimate.h"
#include "systems/parts/noc_point.h"
#include "systems/parts/parts.h"
#include "systems/roofline.h"

namespace pimsweep::systems::parts {

namespace {

namespace router = hardware::noc::router;
using router::Topology;

/// Cycles between two samples of the statistics, for some thousand packets in each: more for fewer nodes and lower
/// rates.
unsigned default_sample_period(unsigned nodes, double rate) {
  const std::size_t row = nodes <= 16 ? 0 : nodes <= 64 ? 1 : 2;
  const std::size_t column = rate < 0.02 ? 0 : rate < 0.1 ? 1 : 2;
  constexpr unsigned periods[3][3] = {{12000, 6000, 3000}, {4000, 2000, 1000}, {800, 600, 500}};
  return periods[row][column];
}

/// The name of a topology's routing algorithm besides "dimension".
NocRouting routing_of(Topology topology) {
  switch (topology) {
    case Topology::mesh:
      return NocRouting::dor;
    case Topology::torus:
      return NocRouting::dim_order;
    case Topology::h_tree:
      break;
  }
  return NocRouting::up_down;
}

/// A lattice with a pattern on it: neighboring points of a sweep share it.
struct LoadedNetwork {
  explicit LoadedNetwork(const NocSettings& s)
      : lattice(s.topology, s.radix, s.dimensions),
        pattern(s.traffic.pattern, lattice),
        loads(lattice, pattern),
        name(s.traffic.pattern) {}

  bool suits(const NocSettings& s) const {
    return lattice.topology() == s.topology && lattice.radix() == s.radix && lattice.dimensions() == s.dimensions &&
           name == s.traffic.pattern;
  }

  router::Lattice lattice;
  router::TrafficPattern pattern;
  router::LinkLoads loads;
  std::string name;
};

class NocSystem final : public System, public HasRoofline {
 public:
  NocSystem() {
    add_axes(axes_, axes_.layout());
    add_metrics(metrics_, metrics_.layout());
    schema_.name = "noc";
    schema_.main_metrics = {"avg_packet_latency"};
    schema_.version = 3;
    schema_.doc =
        "Mesh, torus or H-tree of virtual-channel routers under synthetic traffic, by the rules of BookSim 2.0";
    schema_.axes = axes_.axes();
    schema_.metrics = metrics_.columns();
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    read(point);
    if (std::string reason = period_problem(); !reason.empty()) {
      record.status = Status::infeasible;
      record.message = std::move(reason);
      return;
    }
    const bool simulates = settings_.fidelity == NocFidelity::cycle;
    const router::TrafficResult found = simulates ? simulate() : estimate();
    NocResult result;
    if (!found.saturated) {
      result.packet_latency = found.packet_latency;
      result.network_latency = found.network_latency;
      result.hops = found.hops;
    }
    result.accepted_rate = found.accepted_rate;
    result.saturated = found.saturated;
    result.zero_load_latency = zero_load_latency();
    result.link_load_bound = link_load_bound();
    if (simulates) {
      result.simulated_cycles = static_cast<double>(found.cycles);
      result.flit_hops = static_cast<double>(found.flit_hops);
    }
    metrics_.write(result, record);
    record.status = Status::ok;
  }

  Hash128 workload_hash(const Point& /*point*/) override { return {}; }

  std::vector<std::string> fit_axes() const override { return {"topology", "k", "n", "routing", "traffic", "num_vcs"}; }

  void explain(const Point& point, Explanation& explanation) override {
    read(point);
    if (const std::string reason = period_problem(); !reason.empty()) throw PointError(reason);
    const auto number = [](double value) { return fmt::format("{:.6g}", value); };
    auto& network = explanation.section("network").lines;
    network.push_back({"nodes", fmt::format("{}", network_->lattice.nodes()), ""});
    network.push_back({"mean hops", number(network_->loads.mean_hops()), "routers that a packet passes"});
    network.push_back(
        {"router delay", fmt::format("{}", settings_.router.router_delay()), "cycles, without contention"});
    network.push_back({"credit loop", fmt::format("{}", settings_.router.body_credit_loop()),
                       "cycles from one use of a credit to the next, body flits"});
    auto& formula = explanation.section("by formula").lines;
    formula.push_back({"zero-load latency", number(zero_load_latency()), "cycles"});
    formula.push_back({"link-load bound", number(link_load_bound()), "flits for each node and cycle"});
    formula.push_back({"packet latency", number(estimate().packet_latency), "cycles; nan beyond the bound"});
    if (settings_.fidelity != NocFidelity::cycle) return;
    const router::TrafficResult found = simulate();
    auto& simulated = explanation.section("cycle by cycle").lines;
    simulated.push_back({"sample period", fmt::format("{}", settings_.traffic.sample_period), "cycles"});
    simulated.push_back({"simulated", fmt::format("{}", found.cycles), "cycles"});
    simulated.push_back({"packet latency", number(found.packet_latency),
                         found.saturated ? "saturated: grows with the time of observation" : "cycles"});
    simulated.push_back({"accepted", number(found.accepted_rate), "flits for each node and cycle"});
  }

  Roofline roofline(const Point& /*point*/, const Record& record) override {
    const double latency = number_of(schema_, record, "avg_packet_latency");
    const double hops = number_of(schema_, record, "zero_load_latency") / latency;
    std::string bound = "links and buffers: the network is saturated";
    if (!std::isnan(latency)) {
      bound = hops >= 0.5 ? fmt::format("hops without contention ({:.0f} % of the latency)", 100 * hops)
                          : fmt::format("contention ({:.0f} % of the latency)", 100 * (1 - hops));
    }
    return {.reason = "a network moves flits and computes nothing", .bound = std::move(bound)};
  }

 protected:
  void require_fit(const Point& point) override {
    read_settings(point);
    try {
      const router::Lattice lattice(settings_.topology, settings_.radix, settings_.dimensions);
      const router::TrafficPattern pattern(settings_.traffic.pattern, lattice);
    } catch (const std::invalid_argument& error) {
      throw PointError(error.what());
    }
  }

 private:
  /// Throws PointError for a network that is not possible.
  void read_settings(const Point& point) {
    axes_.read(point, settings_);
    NocSettings& s = settings_;
    s.router.allocator = s.allocator.allocator;
    s.router.iterations = s.allocator.iterations;
    const bool folded = s.topology == Topology::torus && s.folded_torus;
    s.router.link_latency = s.router.credit_latency = folded ? router::folded_torus_latency : 1;
    check();
  }

  /// Sets settings_ and network_; throws PointError for a network that is not possible.
  void read(const Point& point) {
    read_settings(point);
    NocSettings& s = settings_;
    if (!network_ || !network_->suits(s)) {
      try {
        network_ = std::make_unique<LoadedNetwork>(s);
      } catch (const std::invalid_argument& error) {
        throw PointError(error.what());
      }
    }
    if (s.traffic.sample_period == 0) {
      s.traffic.sample_period =
          std::max(min_period(), default_sample_period(network_->lattice.nodes(), s.traffic.injection_rate));
    }
  }

  unsigned min_period() const {
    return router::min_sample_period(network_->lattice, settings_.router, settings_.traffic.packet_size);
  }

  /// Reason why a simulation with these sample periods would mislead; empty if there is none.
  std::string period_problem() const {
    const unsigned period = settings_.traffic.sample_period;
    if (settings_.fidelity != NocFidelity::cycle || period >= min_period()) return {};
    return fmt::format(
        "sample_period is {} cycles: the network would still fill up when the measurement begins, three periods later, "
        "and seem saturated; at least {}, a third of the longest route's latency in an empty network",
        period, min_period());
  }

  void check() const {
    const NocSettings& s = settings_;
    std::vector<std::string> problems = router::problems_of(s.topology, s.radix, s.dimensions, s.router);
    if (s.routing != NocRouting::dimension && s.routing != routing_of(s.topology)) {
      problems.push_back(fmt::format("routing is {}, but that of a network of kind {} is {}, or dimension everywhere",
                                     word_of(s.routing), word_of(s.topology), word_of(routing_of(s.topology))));
    }
    if (!problems.empty()) throw PointError(fmt::format("{}", fmt::join(problems, "; ")));
  }

  /// Equal points of an experiment are simulated once, where one process evaluates both.
  router::TrafficResult simulate() {
    const router::RouterSettings& r = settings_.router;
    const router::SyntheticTraffic& t = settings_.traffic;
    const SimulationKey key(settings_.topology, settings_.radix, settings_.dimensions, r.virtual_channels,
                            r.buffer_size, r.routing_delay, r.switch_traversal_delay, r.credit_delay, r.speculative,
                            r.allocator, r.iterations, r.link_latency, r.credit_latency, t.pattern, t.packet_size,
                            t.injection_rate, t.sample_period, t.seed);
    return simulations_.get(key, [&] { return router::simulate(network_->lattice, r, t); });
  }
  router::TrafficResult estimate() const {
    return router::estimate(network_->lattice, settings_.router, settings_.traffic, network_->loads);
  }
  double zero_load_latency() const {
    return router::zero_load_latency(settings_.router, network_->loads.mean_hops(), settings_.traffic.packet_size);
  }
  double link_load_bound() const {
    return router::link_load_bound(network_->lattice, settings_.router, network_->loads, settings_.traffic.packet_size);
  }

  /// All that a simulation depends on.
  using SimulationKey = std::tuple<Topology, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, bool,
                                   router::Allocator, unsigned, unsigned, unsigned, std::string, unsigned, double,
                                   unsigned, std::uint64_t>;
  static constexpr std::size_t max_simulations = 256;

  AxisTable<NocSettings> axes_;
  MetricTable<NocResult> metrics_;
  Schema schema_;
  NocSettings settings_;
  std::unique_ptr<LoadedNetwork> network_;
  BoundedCache<SimulationKey, router::TrafficResult> simulations_{max_simulations};
};

}  // namespace

std::unique_ptr<System> make_noc(const ConfigFolders& /*configs*/) { return std::make_unique<NocSystem>(); }

}  // namespace pimsweep::systems::parts
