#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/bounded_cache.h"
#include "hardware/noc/exchange_network.h"
#include "hardware/noc/routed_array.h"
#include "systems/hypar/policy.h"
#include "systems/hypar/settings.h"
#include "systems/hypar/step.h"
#include "workload/model_library.h"

namespace pimsweep::systems::hypar {

/// Costs that depend on the network of the machine and the accounting of conversions, but not on the model.
struct NetworkCosts {
  hardware::noc::ExchangeNetwork network;
  CostTables bytes;
  CostTables seconds;
};

/// Networks to train and networks between accelerators, kept from point to point.
class PointCache {
 public:
  explicit PointCache(const workload::ModelLibrary& models) : models_(models) {}

  LayerMappings& mappings() { return mappings_; }
  const workload::TrainingNetwork& training(std::string_view model, workload::InputSize size);
  const NetworkCosts& network(const Machine& machine, const Accounting& accounting);
  /// The network of the machine as routers. Throws PointError where routers cannot have these settings.
  const hardware::noc::RoutedArray& routers(const Machine& machine);

 private:
  /// The parameters of a network, so that machines that differ elsewhere share an entry, and its use.
  using NetworkKey = std::tuple<int, Topology, double, hardware::noc::TorusRouting, hardware::noc::TorusMapping,
                                ConversionShape, Task, double, double, double, double>;
  /// The parameters of routers.
  using RouterKey =
      std::tuple<int, Topology, hardware::noc::TorusRouting, hardware::noc::TorusMapping, unsigned, unsigned, unsigned>;
  /// More than the models or machines of one study.
  static constexpr std::size_t max_entries = 64;

  const workload::ModelLibrary& models_;
  LayerMappings mappings_;
  BoundedCache<std::tuple<std::string, std::int64_t>, workload::TrainingNetwork> trainings_{max_entries};
  BoundedCache<NetworkKey, NetworkCosts> networks_{max_entries};
  BoundedCache<RouterKey, hardware::noc::RoutedArray> routers_{max_entries};
};

/// Throws those PointErrors of TrainingPoint() that depend on model, levels and policy, but on no costs.
void require_choice(const Settings& settings, PointCache& cache);

/// The model of a design point: the trained network, its machine, and the chosen parallelism.
///
///     PointCache cache(models);
///     const TrainingPoint point(settings, cache);
///     point.volumes.total();   // bytes exchanged in a step
struct TrainingPoint {
  /// Refers to `settings` and to entries of `cache`.
  TrainingPoint(const Settings& settings, PointCache& cache);

  const Settings& settings;
  const workload::TrainingNetwork& network;
  const Machine& machine;
  const NetworkCosts& network_costs;
  TensorBytes bytes;
  LayerCosts layer_costs;
  Choice choice;
  StepVolumes volumes;

 private:
  Choice choose() const;
  /// nodes x states.
  std::vector<double> compute_seconds() const;
};

}  // namespace pimsweep::systems::hypar
