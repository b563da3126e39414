#include "systems/parts/noc/noc.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <stdexcept>

#include "base/error.h"
#include "hardware/noc/router/traffic_estimate.h"
#include "systems/parts/noc/schema.h"

namespace pimsweep::systems::parts::noc {

namespace {

/// Cycles between two looks at the statistics that give some thousand packets in each: fewer nodes and lower rates need
/// more.
unsigned default_sample_period(unsigned nodes, double rate) {
  const std::size_t row = nodes <= 16 ? 0 : nodes <= 64 ? 1 : 2;
  const std::size_t column = rate < 0.02 ? 0 : rate < 0.1 ? 1 : 2;
  constexpr unsigned periods[3][3] = {{12000, 6000, 3000}, {4000, 2000, 1000}, {800, 600, 500}};
  return periods[row][column];
}

struct NamedAllocator {
  const char* name;
  hardware::noc::router::Allocator allocator;
  unsigned iterations;
};
constexpr NamedAllocator allocators[] = {
    {"islip", hardware::noc::router::Allocator::islip, 1},
    {"islip(2)", hardware::noc::router::Allocator::islip, 2},
    {"islip(4)", hardware::noc::router::Allocator::islip, 4},
    {"separable_input_first", hardware::noc::router::Allocator::separable_input_first, 1},
    {"separable_output_first", hardware::noc::router::Allocator::separable_output_first, 1}};

struct NamedTopology {
  const char* name;
  hardware::noc::router::Topology topology;
  /// Name of its routing.
  const char* routing;
};
constexpr NamedTopology topologies[] = {{"mesh", hardware::noc::router::Topology::mesh, "dor"},
                                        {"torus", hardware::noc::router::Topology::torus, "dim_order"},
                                        {"h-tree", hardware::noc::router::Topology::h_tree, "up_down"}};

/// A lattice with a pattern on it: neighbouring points of a sweep share it.
struct Loaded {
  Loaded(hardware::noc::router::Topology topology, unsigned radix, unsigned dimensions, const std::string& traffic)
      : lattice(topology, radix, dimensions), pattern(traffic, lattice), loads(lattice, pattern), name(traffic) {}

  bool is(hardware::noc::router::Topology topology, unsigned radix, unsigned dimensions,
          const std::string& traffic) const {
    return lattice.topology() == topology && lattice.radix() == radix && lattice.dimensions() == dimensions &&
           name == traffic;
  }

  hardware::noc::router::Lattice lattice;
  hardware::noc::router::TrafficPattern pattern;
  hardware::noc::router::LinkLoads loads;
  std::string name;
};

class Noc final : public System {
 public:
  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    const Case a_case = read(point);
    const hardware::noc::router::TrafficResult result =
        a_case.cycle
            ? hardware::noc::router::simulate(loaded_->lattice, a_case.settings, a_case.traffic)
            : hardware::noc::router::estimate(loaded_->lattice, a_case.settings, a_case.traffic, loaded_->loads);
    record.status = Status::ok;
    if (!result.saturated) {
      record.metrics[avg_packet_latency] = result.packet_latency;
      record.metrics[avg_network_latency] = result.network_latency;
      record.metrics[avg_hops] = result.hops;
    }
    record.metrics[accepted_flit_rate] = result.accepted_rate;
    record.metrics[saturated] = result.saturated ? 1.0 : 0.0;
    record.metrics[zero_load] = hardware::noc::router::zero_load_latency(a_case.settings, loaded_->loads.mean_hops(),
                                                                         a_case.traffic.packet_size);
    record.metrics[rate_bound] = hardware::noc::router::link_load_bound(loaded_->lattice, a_case.settings,
                                                                        loaded_->loads, a_case.traffic.packet_size);
    if (a_case.cycle) {
      record.metrics[sim_cycles] = static_cast<double>(result.cycles);
      record.metrics[flit_hops] = static_cast<double>(result.flit_hops);
    }
  }

  Hash128 workload_hash(const Point&) override { return {}; }

  void explain(const Point& point, Explanation& explanation) override {
    const Case a_case = read(point);
    const hardware::noc::router::Lattice& lattice = loaded_->lattice;
    auto& network = explanation.section("network");
    network.lines.push_back({"nodes", fmt::format("{}", lattice.nodes()), ""});
    network.lines.push_back(
        {"mean hops", fmt::format("{:.6g}", loaded_->loads.mean_hops()), "routers that a packet passes"});
    network.lines.push_back(
        {"router delay", fmt::format("{}", a_case.settings.router_delay()), "cycles, without contention"});
    network.lines.push_back({"credit loop", fmt::format("{}", a_case.settings.body_credit_loop()),
                             "cycles from one use of a credit to the next, body flits"});
    const hardware::noc::router::TrafficResult guess =
        hardware::noc::router::estimate(lattice, a_case.settings, a_case.traffic, loaded_->loads);
    const auto cycles = [](double value) { return fmt::format("{:.6g}", value); };
    auto& formula = explanation.section("by formula");
    formula.lines.push_back({"zero-load latency",
                             cycles(hardware::noc::router::zero_load_latency(
                                 a_case.settings, loaded_->loads.mean_hops(), a_case.traffic.packet_size)),
                             "cycles"});
    formula.lines.push_back({"link-load bound",
                             cycles(hardware::noc::router::link_load_bound(lattice, a_case.settings, loaded_->loads,
                                                                           a_case.traffic.packet_size)),
                             "flits for each node and cycle"});
    formula.lines.push_back({"packet latency", cycles(guess.packet_latency), "cycles; nan beyond the bound"});
    if (!a_case.cycle) return;
    const hardware::noc::router::TrafficResult result =
        hardware::noc::router::simulate(lattice, a_case.settings, a_case.traffic);
    auto& simulated = explanation.section("cycle by cycle");
    simulated.lines.push_back({"sample period", fmt::format("{}", a_case.traffic.sample_period), "cycles"});
    simulated.lines.push_back({"simulated", fmt::format("{}", result.cycles), "cycles"});
    simulated.lines.push_back({"packet latency", cycles(result.packet_latency),
                               result.saturated ? "saturated: grows with the time of observation" : "cycles"});
    simulated.lines.push_back({"accepted", cycles(result.accepted_rate), "flits for each node and cycle"});
  }

 private:
  struct Case {
    hardware::noc::router::RouterSettings settings;
    hardware::noc::router::SyntheticTraffic traffic;
    bool cycle = false;
  };

  /// Sets loaded_ and reads the rest; throws PointError for a network that cannot be.
  Case read(const Point& point) {
    const auto number = [&](AxisIndex axis) { return static_cast<unsigned>(point.integer(axis)); };
    const NamedTopology& network =
        *std::find_if(std::begin(topologies), std::end(topologies),
                      [&](const NamedTopology& named) { return named.name == point.text(topology); });
    const hardware::noc::router::Topology kind = network.topology;
    Case result;
    hardware::noc::router::RouterSettings& settings = result.settings;
    settings.virtual_channels = number(num_vcs);
    settings.buffer_size = number(vc_buf_size);
    settings.routing_delay = number(routing_delay);
    settings.switch_traversal_delay = number(st_final_delay);
    settings.credit_delay = number(credit_delay);
    settings.speculative = number(speculative) != 0;
    for (const NamedAllocator& named : allocators) {
      if (point.text(alloc) != named.name) continue;
      settings.allocator = named.allocator;
      settings.iterations = named.iterations;
    }
    if (kind == hardware::noc::router::Topology::torus && number(use_noc_latency) != 0) {
      settings.link_latency = settings.credit_latency = hardware::noc::router::folded_torus_latency;
    }
    std::vector<std::string> problems =
        hardware::noc::router::problems_of(kind, number(radix), number(dimensions), settings);
    const std::string& way = point.text(routing);
    if (way != "dimension" && way != network.routing) {
      problems.push_back(
          fmt::format("routing is {}: of {} it is {}, or dimension everywhere", way, network.name, network.routing));
    }
    if (!problems.empty()) throw PointError(fmt::format("{}", fmt::join(problems, "; ")));
    if (!loaded_ || !loaded_->is(kind, number(radix), number(dimensions), point.text(traffic))) {
      try {
        loaded_ = std::make_unique<Loaded>(kind, number(radix), number(dimensions), point.text(traffic));
      } catch (const std::invalid_argument& error) {
        throw PointError(error.what());
      }
    }
    result.traffic.pattern = point.text(traffic);
    result.traffic.packet_size = number(packet_size);
    result.traffic.injection_rate = point.real(injection_rate);
    result.traffic.sample_period = number(sample_period) != 0
                                       ? number(sample_period)
                                       : default_sample_period(loaded_->lattice.nodes(), point.real(injection_rate));
    result.traffic.seed = static_cast<std::uint64_t>(point.integer(seed));
    result.cycle = point.text(fidelity) == "cycle";
    return result;
  }

  Schema schema_ = make_schema();
  std::unique_ptr<Loaded> loaded_;
};

}  // namespace

std::unique_ptr<System> make_noc(const std::string&) { return std::make_unique<Noc>(); }

std::vector<PolicyInfo> noc_policies() { return {}; }

}  // namespace pimsweep::systems::parts::noc
