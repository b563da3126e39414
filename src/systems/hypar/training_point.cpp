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

/// More than the models, and than the machines, of one study.
constexpr std::size_t max_entries = 64;

template <typename Kind, typename Names>
Kind named(const Names& names, const std::string& name) {
  return static_cast<Kind>(std::find(names.begin(), names.end(), name) - names.begin());
}

hardware::noc::TorusRouting routing_of(const Machine& machine) {
  return named<hardware::noc::TorusRouting>(hardware::noc::torus_routing_names, machine.torus_routing);
}

hardware::noc::TorusMapping mapping_of(const Machine& machine) {
  return named<hardware::noc::TorusMapping>(hardware::noc::torus_mapping_names, machine.torus_mapping);
}

hardware::noc::ExchangeNetwork make_network(const Machine& machine) {
  const auto levels = static_cast<std::size_t>(machine.levels);
  if (machine.topology == Topology::h_tree) return hardware::noc::h_tree(levels, machine.link_bandwidth);
  return hardware::noc::torus(levels, machine.link_bandwidth, routing_of(machine), mapping_of(machine));
}

hardware::noc::RoutedArray make_routers(const Machine& machine) {
  const auto levels = static_cast<std::size_t>(machine.levels);
  hardware::noc::router::RouterSettings router;
  router.virtual_channels = machine.virtual_channels;
  router.buffer_size = machine.buffer_flits;
  try {
    if (machine.topology == Topology::h_tree)
      return hardware::noc::RoutedArray::h_tree(levels, router, machine.packet_flits);
    return hardware::noc::RoutedArray::torus(levels, routing_of(machine), mapping_of(machine), router,
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

/// Only what the network is made of, so that machines that differ in nothing else share an entry.
bool same_network(const Machine& a, const Machine& b) {
  return a.levels == b.levels && a.topology == b.topology && a.link_bandwidth == b.link_bandwidth &&
         a.torus_routing == b.torus_routing && a.torus_mapping == b.torus_mapping;
}

/// Whatever routers are made of.
bool same_routers(const Machine& a, const Machine& b) {
  return a.levels == b.levels && a.topology == b.topology && a.torus_routing == b.torus_routing &&
         a.torus_mapping == b.torus_mapping && a.packet_flits == b.packet_flits &&
         a.virtual_channels == b.virtual_channels && a.buffer_flits == b.buffer_flits;
}

}  // namespace

const workload::TrainingNetwork& PointCache::training(const std::string& model, std::int64_t image_px) {
  if (image_px == 0) image_px = models_.default_image_px(model);
  const auto found = std::find_if(trainings_.begin(), trainings_.end(), [&](const Training& entry) {
    return entry.model == model && entry.image_px == image_px;
  });
  if (found != trainings_.end()) return found->network;
  if (trainings_.size() == max_entries) trainings_.erase(trainings_.begin());
  trainings_.push_back({model, image_px, workload::training_network(models_.graph(model, image_px))});
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

TrainingPoint::TrainingPoint(const PointReader& reader, const Point& point, PointCache& cache)
    : network(cache.training(reader.model(point), reader.image_px(point))),
      machine(reader.machine(point)),
      network_costs(cache.network(machine, reader.accounting(point))),
      batch(reader.batch(point)),
      bytes(network, batch, machine.word, reader.accounting(point)),
      layer_costs(network, machine, batch, reader.mac_count(point), reader.compute_model(point), cache.mappings(),
                  bytes.task),
      choice(choose(reader, point)),
      volumes(network, bytes, machine.levels, choice.assignment) {}

Choice TrainingPoint::choose(const PointReader& reader, const Point& point) const {
  std::vector<double> compute_seconds;
  const bool time = reader.objective_is_time(point);
  if (time) {
    for (std::size_t node = 0; node < network.nodes.size(); ++node) {
      for (search::State state = 0; state < search::state_count(machine.levels); ++state) {
        compute_seconds.push_back(layer_costs.seconds(node, state));
      }
    }
  }
  std::vector<double> forbidden;
  const PolicyInput input{network,         bytes,    machine.levels, time ? network_costs.seconds : network_costs.bytes,
                          compute_seconds, forbidden};
  if (!reader.free(point).empty()) {
    forbidden = forbidden_states(reader.free(point), network, machine.levels, hypar_assignment(input));
  }
  Choice result = policy_named(reader.policy(point)).choose(input);
  for (const std::string& text : {reader.overrides(point), reader.more_overrides(point)}) {
    override_states(text, network, machine.levels, result.assignment);
  }
  return result;
}

}  // namespace pimsweep::systems::hypar
