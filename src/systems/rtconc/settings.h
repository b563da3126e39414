#pragma once

#include <cstdint>

#include "hardware/silicon/silicon.h"
#include "systems/devices/cpu_axes.h"
#include "systems/rtconc/hill_climbing.h"
#include "systems/rtconc/operation_work.h"
#include "systems/rtconc/regression/regressor.h"
#include "workload/training/graph_cache.h"

namespace pimsweep::systems::rtconc {

struct Policy;

/// A processor with the software that runs operations on it. SI units.
struct Machine {
  devices::Cpu processor;
  Framework framework;
  /// Time of the executor for each operation.
  double dispatch = 0;
  /// Resolution of the executor's clock.
  double clock = 0;
  /// Time of the operating system to change from one thread to another.
  double context_switch = 0;
  /// OpenMP's threads spin between two operations instead of sleeping.
  bool spins = false;
  /// Power of the processor under any load.
  double power = 0;

  const hardware::manycore::Device& cpu() const { return processor.device; }
};

/// Prediction of operation times: the true times, hill climbing, or a regression.
struct Predictor {
  enum class Method : std::uint8_t { hill_climbing, exact, regression };
  Method method = Method::hill_climbing;
  /// The regression, if the method is one.
  regression::MakeRegressor make_regressor = nullptr;

  friend bool operator==(const Predictor&, const Predictor&) = default;
};

/// A point of the system "rtconc".
struct Settings {
  const Policy* policy = nullptr;
  Machine machine;
  hardware::silicon::Densities silicon;
  workload::training::StepChoice model;
  /// Concurrent operations and threads per operation for the policy "uniform"; 0 threads means one per core.
  std::int64_t inter = 1;
  std::int64_t intra = 0;
  Predictor predictor;
  std::int64_t interval = 4;
  Sharing sharing = Sharing::both;
  double time_noise = 0;
  std::size_t samples = 4;
  double counter_interval = 0;
  /// The strategies choose threads of all operations, not only of those of MKL and MKL-DNN.
  bool resizes_all = false;
  /// Strategy 3 starts the longest operation only where its cores are idle.
  bool longest_waits = false;
  double avoided_slowdown = 0;
  bool record_timeline = false;
  std::uint64_t seed = 1;
};

}  // namespace pimsweep::systems::rtconc
