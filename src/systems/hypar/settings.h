#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/silicon/silicon.h"
#include "systems/axis_table.h"
#include "systems/hypar/communication.h"
#include "systems/hypar/layer_costs.h"
#include "systems/hypar/machine.h"
#include "workload/input_size.h"

namespace pimsweep::systems::hypar {

struct Policy;

/// Objective of the policies that search: the bytes that all pairs exchange, or the analytic time of a step.
enum class Objective : std::uint8_t { bytes, time };

enum class Fidelity : std::uint8_t {
  analytic,  ///< sums of computation and exchanges
  event,     ///< a simulation in which exchanges share the links
  cycle,     ///< a simulation of the routers, flit by flit
};

/// Bandwidth that stays constant as the array grows: of the whole network, or of each link.
enum class BandwidthScaling : std::uint8_t { total, link };

/// Energies that count: all of them, those whose constants the paper prints, or all but those of operands in DRAM.
enum class EnergyScope : std::uint8_t { all, printed, without_operands };

/// A design point in the types of the model. Texts live as long as the point.
struct Settings {
  std::string_view model;
  workload::InputSize size;
  std::int64_t batch = 0;
  const Policy* policy = nullptr;
  Objective objective = Objective::bytes;
  BandwidthScaling bandwidth_scaling = BandwidthScaling::total;
  Fidelity fidelity = Fidelity::analytic;
  bool overlap = true;
  bool record_timeline = false;
  ComputeModel compute_model = ComputeModel::throughput;
  MacCount mac_count = MacCount::output_size;
  Accounting accounting;
  EnergyScope energy_scope = EnergyScope::all;
  std::string_view overrides;
  std::string_view more_overrides;
  std::string_view free;
  Machine machine;
  /// Bytes per second and direction of all links of an array of `network_accelerators`.
  double network_bandwidth = 0;
  std::int64_t network_accelerators = 0;
  hardware::silicon::Densities silicon;
};

AxisTable<Settings> make_axes(const std::vector<std::string>& models);

/// A link's share of the bandwidth of the whole network.
double link_bandwidth(const Settings& settings);

}  // namespace pimsweep::systems::hypar
