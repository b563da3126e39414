#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hardware/gpu/kernel_cost.h"
#include "systems/heteropim/candidates.h"
#include "systems/heteropim/machine.h"
#include "systems/heteropim/runtime/policy.h"
#include "systems/heteropim/runtime/runtime.h"
#include "systems/heteropim/step_costs.h"
#include "workload/model_library.h"
#include "workload/training/training_library.h"

namespace pimsweep::systems::heteropim {

/// A design point: what is trained, on what, and how the runtime goes about it.
struct Settings {
  const runtime::Policy* policy = nullptr;
  Machine machine;
  std::string workload;
  /// A second one for host and programmable PIM (Sec. VI-F); empty: none.
  std::string partner;
  /// 0: the workload's own.
  std::int64_t batch = 0;
  std::uint32_t steps = 1;
  double frequency = 1;
  std::uint32_t programmable = 1;
  bool recursive_kernels = true;
  bool operation_pipeline = true;
  bool idle_registers = true;
  runtime::Fallback fallback = runtime::Fallback::earlier;
  double candidate_share = 0;
  Operands operands = Operands::stack;
  bool timeline = false;
};

/// Joules of one step.
struct StepEnergy {
  double idle = 0;
  double host = 0;
  double programmable = 0;
  double pairs = 0;
  double memory = 0;
  double gpu = 0;

  double dynamic() const { return host + programmable + pairs + memory + gpu; }
  double total() const { return idle + dynamic(); }
};

/// What became of it. Times are those of one step in the steady state (the first step left out).
struct Outcome {
  double time = 0;
  /// Shares of `time`: adds up to it.
  double operation = 0;
  double movement = 0;
  double synchronisation = 0;
  StepEnergy energy;
  std::uint32_t pairs = 0;
  /// Share of the time in which they work.
  double pair_utilisation = 0;
  double host_utilisation = 0;
  double programmable_utilisation = 0;
  double critical_path = 0;
  double work_bound = 0;
  Copies copies;
  std::vector<CardConvolution> convolutions;
  std::vector<TypeProfile> profile;
  runtime::Execution execution;
  /// With a partner: its steps beside one step, one of its steps alone, and the whole run together and one by one.
  std::uint32_t partner_steps = 0;
  double partner_time = 0;
  double together = 0;
  double one_by_one = 0;
};

/// Training graphs kept from point to point.
class GraphCache {
 public:
  GraphCache(const workload::ModelLibrary& models, const workload::training::TrainingLibrary& steps)
      : models_(models), steps_(steps) {}
  const workload::training::TrainingGraph& graph(const std::string& workload, std::int64_t batch);

 private:
  const workload::ModelLibrary& models_;
  const workload::training::TrainingLibrary& steps_;
  std::map<std::pair<std::string, std::int64_t>, std::unique_ptr<const workload::training::TrainingGraph>> graphs_;
};

/// Runs points; keeps the working memory of the executor.
class Trainer {
 public:
  explicit Trainer(GraphCache& graphs) : graphs_(graphs) {}
  Outcome run(const Settings& settings);

 private:
  GraphCache& graphs_;
  runtime::Executor executor_;
};

}  // namespace pimsweep::systems::heteropim
