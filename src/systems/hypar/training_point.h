#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hardware/noc/exchange_network.h"
#include "hardware/noc/routed_array.h"
#include "systems/hypar/policy.h"
#include "systems/hypar/schema.h"
#include "systems/hypar/step.h"
#include "workload/model_library.h"

namespace pimsweep::systems::hypar {

/// What depends on the machine's network and on how transitions are counted.
struct NetworkCosts {
  Machine machine;
  ConversionShape shape;
  Task task;
  hardware::noc::ExchangeNetwork network;
  CostTables bytes;
  CostTables seconds;
};

/// Networks to train and networks to train on, kept from point to point.
class PointCache {
 public:
  explicit PointCache(const workload::ModelLibrary& models) : models_(models) {}

  LayerMappings& mappings() { return mappings_; }
  const workload::TrainingNetwork& training(const std::string& model, std::int64_t image_px);
  const NetworkCosts& network(const Machine& machine, const Accounting& accounting);
  /// The machine's network as routers. Throws PointError for one that cannot be.
  const hardware::noc::RoutedArray& routers(const Machine& machine);

 private:
  struct Training {
    std::string model;
    std::int64_t image_px = 0;
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

/// A design point taken apart: what is trained, on what, and which parallelism was chosen.
struct TrainingPoint {
  TrainingPoint(const PointReader& reader, const Point& point, PointCache& cache);

  const workload::TrainingNetwork& network;
  Machine machine;
  const NetworkCosts& network_costs;
  std::int64_t batch;
  TensorBytes bytes;
  LayerCosts layer_costs;
  Choice choice;
  StepVolumes volumes;

 private:
  Choice choose(const PointReader& reader, const Point& point) const;
};

}  // namespace pimsweep::systems::hypar
