#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/words.h"
#include "workload/model_library.h"
#include "workload/training/training_library.h"

namespace pimsweep::workload::training {

/// One step of the library, or a plain step of a model.
struct StepChoice {
  std::string name;
  /// The forward operations alone.
  bool inference = false;
  /// 0 stands for the step's own.
  std::int64_t batch = 0;

  friend auto operator<=>(const StepChoice&, const StepChoice&) = default;
};

/// Values of StepChoice::inference, for the axis "task".
inline constexpr Words<bool, 2> task_words{{{"training", false}, {"inference", true}}};

/// Models and training steps of a configuration, with the graphs made of them: each is made once.
class GraphCache {
 public:
  /// Reads the folders models and training of `config_dir`; throws InputError with all problems of all files.
  explicit GraphCache(const std::string& config_dir);

  /// Names of training steps, then those of models.
  std::vector<std::string> names() const;
  /// The choice with the step's own batch in place of 0.
  StepChoice resolved(StepChoice choice) const;
  /// Throws PointError as training_graph does.
  const TrainingGraph& graph(const StepChoice& choice);
  /// Identity of the step for the identity of a point.
  Hash128 content(const StepChoice& choice);

 private:
  struct Entry {
    std::optional<TrainingGraph> graph;
    std::optional<Hash128> content;
  };
  TrainingStep step(const StepChoice& choice) const;

  ModelLibrary models_;
  TrainingLibrary steps_;
  std::map<StepChoice, Entry> entries_;
};

}  // namespace pimsweep::workload::training
