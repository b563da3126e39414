#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/config_folders.h"
#include "base/error.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// Texts of files outside the installed folder, by the name of the model or training step that they define.
struct DefinitionTexts {
  std::map<std::string, std::string> models;
  std::map<std::string, std::string> training;
};

/// The models and training steps that an experiment names. Their files are read only for questions that systems cannot
/// answer: the text that defines a name, and the reason why a name is unknown.
class ModelNames {
 public:
  explicit ModelNames(const ConfigFolders& folders);
  ~ModelNames();

  /// If an axis takes models, adds the texts that define a model and its parts, unless they are installed.
  void add_texts(const systems::Axis& axis, const std::string& name, DefinitionTexts& texts);
  /// If an axis takes models, throws InputError with the problems in the file of an unknown model, or with `error` and
  /// the folders that were searched.
  void explain_unknown(const systems::Axis& axis, const std::string& name, const InputError& error);

 private:
  struct Libraries;
  /// The libraries if the axis takes models; otherwise nullptr.
  const Libraries* libraries_for(const systems::Axis& axis);

  ConfigFolders folders_;
  bool all_installed_ = true;
  /// nullptr until they are needed, and if there is no model.
  std::unique_ptr<Libraries> libraries_;
};

}  // namespace pimsweep::sweep
