#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/config_folders.h"
#include "base/error.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// Texts of files outside the installed folder, by the name of the model or the training step that they define.
struct DefinitionTexts {
  std::map<std::string, std::string> models;
  std::map<std::string, std::string> training;
};

/// Models and training steps that an experiment names. They are read only if someone asks for what systems do not know:
/// where a name is defined, and why it is not.
class ModelNames {
 public:
  explicit ModelNames(const ConfigFolders& folders);
  ~ModelNames();

  /// If an axis takes models, adds the texts that define one and what it consists of, unless they are installed.
  void add_texts(const systems::Axis& axis, const std::string& name, DefinitionTexts& texts);
  /// If an axis takes models, throws InputError with what is wrong in the file of the one that it does not know, or
  /// with `error` and the folders that were read.
  void explain_unknown(const systems::Axis& axis, const std::string& name, const InputError& error);

 private:
  struct Libraries;
  /// The libraries if the axis takes models; else null.
  const Libraries* libraries_for(const systems::Axis& axis);

  ConfigFolders folders_;
  bool all_installed_ = true;
  /// Null until they are needed, and if there is no model.
  std::unique_ptr<Libraries> libraries_;
};

}  // namespace pimsweep::sweep
