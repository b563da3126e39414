#include "sweep/model_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "workload/model_library.h"
#include "workload/training/training_library.h"

namespace pimsweep::sweep {

namespace {

bool are_installed(const std::vector<ConfigFolder>& folders) {
  return std::all_of(folders.begin(), folders.end(), [](const ConfigFolder& folder) { return folder.is_installed; });
}

void add_text(const workload::DefinitionIndex& index, const std::string& name,
              std::map<std::string, std::string>& texts) {
  const workload::DefinitionIndex::File* file = index.file_of(name);
  if (file != nullptr && !file->is_installed) texts.emplace(name, file->text);
}

}  // namespace

struct ModelNames::Libraries {
  explicit Libraries(const ConfigFolders& folders) : models(folders.models), steps(folders.training, models) {}

  workload::ModelLibrary models;
  workload::training::TrainingLibrary steps;
};

ModelNames::ModelNames(const ConfigFolders& folders)
    : folders_(folders), all_installed_(are_installed(folders.models) && are_installed(folders.training)) {}

ModelNames::~ModelNames() = default;

const ModelNames::Libraries* ModelNames::libraries_for(const systems::Axis& axis) {
  if (axis.choices.empty()) return nullptr;
  if (libraries_ == nullptr) {
    try {
      libraries_ = std::make_unique<Libraries>(folders_);
    } catch (const InputError&) {
      return nullptr;  // a system that takes models has reported that there is none
    }
  }
  const workload::DefinitionIndex& models = libraries_->models.index();
  const bool takes_models = std::any_of(axis.choices.begin(), axis.choices.end(),
                                        [&](const std::string& choice) { return models.file_of(choice) != nullptr; });
  return takes_models ? libraries_.get() : nullptr;
}

void ModelNames::add_texts(const systems::Axis& axis, const std::string& name, DefinitionTexts& texts) {
  const Libraries* libraries = all_installed_ ? nullptr : libraries_for(axis);
  if (libraries == nullptr) return;
  const auto& [models, steps] = *libraries;
  const bool is_known = steps.index().file_of(name) != nullptr || models.index().file_of(name) != nullptr;
  if (!is_known) return;  // a network file, or a word of the axis that means none
  const workload::training::TrainingStep step = steps.find(name);
  add_text(steps.index(), name, texts.training);
  add_text(models.index(), step.model, texts.models);
  add_text(models.index(), step.adversary, texts.models);
}

void ModelNames::explain_unknown(const systems::Axis& axis, const std::string& name, const InputError& error) {
  const Libraries* libraries = libraries_for(axis);
  if (libraries == nullptr) return;
  const auto& [models, steps] = *libraries;
  models.index().require_sound(name);
  steps.index().require_sound(name);
  throw InputError(fmt::format("{}; {}", error.what(), models.index().searched()));
}

}  // namespace pimsweep::sweep
