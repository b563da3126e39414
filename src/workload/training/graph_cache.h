#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/bounded_cache.h"
#include "base/config_folders.h"
#include "base/hash.h"
#include "base/key_hash.h"
#include "base/words.h"
#include "workload/model_library.h"
#include "workload/training/training_library.h"

namespace pimsweep::workload::training {

/// A step of the library, or a plain step of a model.
struct StepChoice {
  std::string name;
  /// Forward operations only.
  bool inference = false;
  /// 0 means the default of the step.
  std::int64_t batch = 0;
  InputSize size = {};

  friend auto operator<=>(const StepChoice&, const StepChoice&) = default;
};

struct StepChoiceHash {
  std::size_t operator()(const StepChoice& choice) const {
    return combined_hash(choice.name, choice.inference, choice.batch, choice.size.image_px, choice.size.tokens);
  }
};

/// Values of StepChoice::inference, for the axis "task".
inline constexpr Words<bool, 2> task_words{{{"training", false}, {"inference", true}}};

/// Models and training steps of a configuration, with the graphs made of them.
class GraphCache {
 public:
  /// Reads the models and training steps of some folders. Throws InputError if there is no model.
  explicit GraphCache(const ConfigFolders& configs);

  /// Names of training steps, followed by those of models.
  std::vector<std::string> names() const;
  /// The choice with the default batch of the step in place of 0, and with 0 in place of the model's default size.
  StepChoice resolved(StepChoice choice) const;
  /// Throws PointError like training_graph(). The reference remains valid until many other graphs have been requested.
  const TrainingGraph& graph(const StepChoice& choice);
  /// Identity of the step, as part of the identity of a point.
  Hash128 content(const StepChoice& choice);

 private:
  /// More than the steps of one study, with all batches of a regression model.
  static constexpr std::size_t max_graphs = 64;
  static constexpr std::size_t max_contents = 4096;
  TrainingStep step(const StepChoice& choice) const;

  ModelLibrary models_;
  TrainingLibrary steps_;
  BoundedCache<StepChoice, TrainingGraph, StepChoiceHash> training_graphs_{max_graphs};
  BoundedCache<StepChoice, Hash128, StepChoiceHash> contents_{max_contents};
};

}  // namespace pimsweep::workload::training
