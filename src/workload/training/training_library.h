#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "workload/definition_index.h"
#include "workload/model_library.h"
#include "workload/training/training_step.h"

namespace pimsweep::workload::training {

/// The training steps of configs/training/*.toml and of other folders, read once. The files have the format of model
/// files (docs/models.md) with the family "training-step".
class TrainingLibrary {
 public:
  /// Reads every file. Problems of a file are kept until one of its steps is requested.
  TrainingLibrary(const std::vector<ConfigFolder>& folders, const ModelLibrary& models);
  /// The steps of one folder; throws InputError with all problems of all files.
  TrainingLibrary(const std::string& directory, const ModelLibrary& models);
  /// The steps of one file, given as its text; `path` is used in messages.
  TrainingLibrary(const std::string& text, const std::string& path, const ModelLibrary& models);

  /// In the order of the folders, then in alphabetical order of the files, then in the order within each file.
  const std::vector<std::string>& names() const { return index_.names(); }
  /// Files that define the steps, and the problems of each file.
  const DefinitionIndex& index() const { return index_; }
  /// The step of this name, or a plain step of the model of this name. With ":inference" after the name, only its
  /// forward operations. Throws InputError, with the nearest name, if there is neither.
  TrainingStep find(std::string_view name) const;

 private:
  explicit TrainingLibrary(const ModelLibrary& models);
  void add(const ModelEntry& entry, const DefinitionIndex& models, ProblemList& problems);

  DefinitionIndex index_;
  std::map<std::string, TrainingStep, std::less<>> steps_;
  std::vector<std::string> models_;
};

}  // namespace pimsweep::workload::training
