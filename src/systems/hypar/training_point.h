#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hardware/noc/exchange_network.h"
#include "hardware/noc/routed_array.h"
#include "systems/hypar/policy.h"
#include "systems/hypar/settings.h"
#include "systems/hypar/step.h"
#include "workload/model_library.h"

namespace pimsweep::systems::hypar {

/// What depends on the network of the machine and on how conversions are counted, but not on the model.
struct NetworkCosts {
  Machine machine;
  ConversionShape shape;
  Task task;
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
  struct Training {
    std::string model;
    std::int64_t input_size = 0;
    workload::TrainingNetwork network;
  };

  struct Routers {
    Machine machine;
    hardware::noc::RoutedArray array;
  };

  const workload::ModelLibrary& models_;
  LayerMappings mappings_;
  std::vector<Training> trainings_;
  std::vector<NetworkCosts> networks_;
  std::vector<Routers> routers_;
};

/// The model of a design point: what is trained, on what, and the chosen parallelism.
struct TrainingPoint {
  /// Refers to `settings` and to entries of `cache`, which is not to be used for another point meanwhile.
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
