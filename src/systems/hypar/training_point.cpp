#include "systems/hypar/training_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/error.h"
#include "hardware/noc/h_tree.h"
#include "hardware/noc/torus.h"
#include "systems/hypar/selection.h"

namespace pimsweep::systems::hypar {

namespace {

hardware::noc::ExchangeNetwork make_network(const Machine& machine) {
  const auto levels = static_cast<std::size_t>(machine.levels);
  if (machine.topology == Topology::h_tree) return hardware::noc::h_tree(levels, machine.link_bandwidth);
  return hardware::noc::torus(levels, machine.link_bandwidth, machine.torus_routing, machine.torus_mapping);
}

hardware::noc::RoutedArray make_routers(const Machine& machine) {
  const auto levels = static_cast<std::size_t>(machine.levels);
  hardware::noc::router::RouterSettings router;
  router.virtual_channels = machine.virtual_channels;
  router.buffer_size = machine.buffer_flits;
  try {
    if (machine.topology == Topology::h_tree)
      return hardware::noc::RoutedArray::h_tree(levels, router, machine.packet_flits);
    return hardware::noc::RoutedArray::torus(levels, machine.torus_routing, machine.torus_mapping, router,
                                             machine.packet_flits);
  } catch (const std::invalid_argument& error) {
    throw PointError(fmt::format("fidelity cycle: {} (num_vcs is hardware.network.virtual_channels)", error.what()));
  }
}

std::vector<double> seconds_per_byte(const hardware::noc::ExchangeNetwork& network) {
  std::vector<double> seconds;
  for (std::size_t level = 1; level <= network.levels(); ++level) seconds.push_back(network.seconds(level, 1));
  return seconds;
}

}  // namespace

const workload::TrainingNetwork& PointCache::training(std::string_view model, workload::InputSize size) {
  const std::int64_t input_size = models_.input_size(model, size);
  return trainings_.get({std::string(model), input_size},
                        [&] { return workload::training_network(models_.graph(model, input_size)); });
}

const NetworkCosts& PointCache::network(const Machine& machine, const Accounting& accounting) {
  const NetworkKey key(machine.levels, machine.topology, machine.link_bandwidth, machine.torus_routing,
                       machine.torus_mapping, accounting.conversion_shape, accounting.task, accounting.conversion_count,
                       accounting.mp_dp_count, accounting.mp_mp_convolution_count, accounting.mp_mp_connected_count);
  return networks_.get(key, [&] {
    hardware::noc::ExchangeNetwork network = make_network(machine);
    CostTables bytes(machine.levels, pairs_of_levels(machine.levels), accounting);
    CostTables seconds(machine.levels, seconds_per_byte(network), accounting);
    return NetworkCosts{std::move(network), std::move(bytes), std::move(seconds)};
  });
}

const hardware::noc::RoutedArray& PointCache::routers(const Machine& machine) {
  const RouterKey key(machine.levels, machine.topology, machine.torus_routing, machine.torus_mapping,
                      machine.packet_flits, machine.virtual_channels, machine.buffer_flits);
  return routers_.get(key, [&] { return make_routers(machine); });
}

void require_choice(const Settings& settings, PointCache& cache) {
  const workload::TrainingNetwork& network = cache.training(settings.model, settings.size);
  const int levels = settings.machine.levels;
  search::Assignment assignment(network.nodes.size(), 0);
  search::AssignmentProblem structure;
  structure.nodes = network.nodes.size();
  structure.states = search::state_count(levels);
  for (const workload::Transition& transition : network.transitions) {
    structure.edges.push_back({transition.from, transition.to});
  }
  structure.node_cost.assign(structure.nodes * structure.states, 0);
  if (!settings.free.empty()) {
    require_hypar_assignment(structure);
    const std::vector<double> forbidden = forbidden_states(settings.free, network, levels, assignment);
    if (!forbidden.empty()) structure.node_cost = forbidden;
  }
  if (settings.policy->require != nullptr) settings.policy->require(structure);
  for (const std::string_view text : {settings.overrides, settings.more_overrides}) {
    override_states(text, network, levels, assignment);
  }
}

TrainingPoint::TrainingPoint(const Settings& given, PointCache& cache)
    : settings(given),
      network(cache.training(settings.model, settings.size)),
      machine(settings.machine),
      network_costs(cache.network(machine, settings.accounting)),
      bytes(network, settings.batch, machine.word, settings.accounting),
      layer_costs(network, machine, settings.batch, settings.mac_count, settings.compute_model, cache.mappings(),
                  bytes.accounting.task),
      choice(choose()),
      volumes(network, bytes, machine.levels, choice.assignment) {}

std::vector<double> TrainingPoint::compute_seconds() const {
  std::vector<double> seconds;
  for (std::size_t node = 0; node < network.nodes.size(); ++node) {
    for (search::State state = 0; state < search::state_count(machine.levels); ++state) {
      seconds.push_back(layer_costs.seconds(node, state));
    }
  }
  return seconds;
}

Choice TrainingPoint::choose() const {
  const bool time = settings.objective == Objective::time;
  const std::vector<double> node_extra = time ? compute_seconds() : std::vector<double>{};
  std::vector<double> forbidden;
  const PolicyInput input{network,    bytes,    machine.levels, time ? network_costs.seconds : network_costs.bytes,
                          node_extra, forbidden};
  if (!settings.free.empty()) {
    forbidden = forbidden_states(settings.free, network, machine.levels, hypar_assignment(input));
  }
  Choice result = settings.policy->choose(input);
  for (const std::string_view text : {settings.overrides, settings.more_overrides}) {
    override_states(text, network, machine.levels, result.assignment);
  }
  return result;
}

}  // namespace pimsweep::systems::hypar
