#pragma once

#include <optional>
#include <string>
#include <vector>

#include "systems/llm/step/step_run.h"
#include "systems/system.h"

namespace pimsweep::systems::llm::step {

/// Results of a model that runs on a machine; SI units.
struct ModelRun {
  /// Reason why the machine cannot run the model; empty if it can. Otherwise the results are missing.
  std::string misfit;
  double time = no_number;
  std::optional<double> time_per_token = {};
  std::optional<double> time_to_first_token = {};
  double tokens_per_second = no_number;
  double energy = no_number;
  double energy_per_token = no_number;
  double idle_energy = no_number;
  double power = no_number;
  double pim_busy = no_number;
  /// Operators of the last step or token.
  std::vector<OperatorRun> operators = {};
};

}  // namespace pimsweep::systems::llm::step
