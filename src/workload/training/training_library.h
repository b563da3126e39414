#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "workload/model_file.h"
#include "workload/training/training_step.h"

namespace pimsweep::workload::training {

/// The training steps of configs/training/*.toml, read once. The files have the form of model files (docs/models.md) of
/// the family "training-step".
class TrainingLibrary {
 public:
  /// Reads every file; throws InputError with all problems of all files.
  TrainingLibrary(const std::string& directory, const ModelLibrary& models);
  /// The steps of one file, given as its text; `path` is used in messages.
  TrainingLibrary(const std::string& text, const std::string& path, const ModelLibrary& models);

  /// In alphabetical order of the files, then in the order of each file.
  const std::vector<std::string>& names() const { return names_; }
  /// The step of this name, or a plain step of the model of this name. With ":inference" after the name, its forward
  /// operations alone. Throws InputError, with the nearest name, if there is neither.
  TrainingStep find(std::string_view name) const;

 private:
  void add(const ModelEntry& entry, ProblemList& problems);

  std::vector<std::string> names_;
  std::map<std::string, TrainingStep, std::less<>> steps_;
  std::vector<std::string> models_;
};

}  // namespace pimsweep::workload::training
