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

/// More than the models or machines of one study.
constexpr std::size_t max_entries = 64;

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

/// Compares what the network is made of, so that machines that differ in other ways share an entry.
bool same_network(const Machine& a, const Machine& b) {
  return a.levels == b.levels && a.topology == b.topology && a.link_bandwidth == b.link_bandwidth &&
         a.torus_routing == b.torus_routing && a.torus_mapping == b.torus_mapping;
}

/// Compares what the routers are made of.
bool same_routers(const Machine& a, const Machine& b) {
  return a.levels == b.levels && a.topology == b.topology && a.torus_routing == b.torus_routing &&
         a.torus_mapping == b.torus_mapping && a.packet_flits == b.packet_flits &&
         a.virtual_channels == b.virtual_channels && a.buffer_flits == b.buffer_flits;
}

}  // namespace

const workload::TrainingNetwork& PointCache::training(std::string_view model, workload::InputSize size) {
  const std::int64_t input_size = models_.input_size(model, size);
  const auto found = std::find_if(trainings_.begin(), trainings_.end(), [&](const Training& entry) {
    return entry.model == model && entry.input_size == input_size;
  });
  if (found != trainings_.end()) return found->network;
  if (trainings_.size() == max_entries) trainings_.erase(trainings_.begin());
  trainings_.push_back({std::string(model), input_size, workload::training_network(models_.graph(model, input_size))});
  return trainings_.back().network;
}

const NetworkCosts& PointCache::network(const Machine& machine, const Accounting& accounting) {
  const auto [shape, task] = std::pair(accounting.conversion_shape, accounting.task);
  const auto found = std::find_if(networks_.begin(), networks_.end(), [&](const NetworkCosts& entry) {
    return entry.shape == accounting.conversion_shape && entry.task == accounting.task &&
           same_network(entry.machine, machine);
  });
  if (found != networks_.end()) return *found;
  if (networks_.size() == max_entries) networks_.erase(networks_.begin());
  hardware::noc::ExchangeNetwork network = make_network(machine);
  CostTables bytes(machine.levels, pairs_of_levels(machine.levels), shape, task);
  CostTables seconds(machine.levels, seconds_per_byte(network), shape, task);
  networks_.push_back({machine, shape, task, std::move(network), std::move(bytes), std::move(seconds)});
  return networks_.back();
}

const hardware::noc::RoutedArray& PointCache::routers(const Machine& machine) {
  const auto found = std::find_if(routers_.begin(), routers_.end(),
                                  [&](const Routers& entry) { return same_routers(entry.machine, machine); });
  if (found != routers_.end()) return found->array;
  if (routers_.size() == max_entries) routers_.erase(routers_.begin());
  routers_.push_back({machine, make_routers(machine)});
  return routers_.back().array;
}

TrainingPoint::TrainingPoint(const Settings& given, PointCache& cache)
    : settings(given),
      network(cache.training(settings.model, settings.size)),
      machine(settings.machine),
      network_costs(cache.network(machine, settings.accounting)),
      bytes(network, settings.batch, machine.word, settings.accounting),
      layer_costs(network, machine, settings.batch, settings.mac_count, settings.compute_model, cache.mappings(),
                  bytes.task),
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
