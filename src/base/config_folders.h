#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pimsweep {

/// A folder in which files are looked for by name.
struct ConfigFolder {
  std::string path;
  /// Whether it came with the program, so that results need not keep what it defines.
  bool is_installed = false;
  /// Only for definitions that a results file keeps, which is then the path: the text of the file that defined each
  /// name.
  std::map<std::string, std::string> kept = {};
};

/// The folders in which models, hardware and training steps are looked for by name, in the order of the search: a name
/// means what the first folder that has it says.
struct ConfigFolders {
  std::vector<ConfigFolder> models;
  std::vector<ConfigFolder> hardware;
  std::vector<ConfigFolder> training;

  ConfigFolders() = default;
  /// The folders models, hardware and training in `root`, as far as they are there.
  explicit ConfigFolders(const ConfigFolder& root);
  /// Those of an installation. Implicit, so that the path of such a folder stands for it.
  ConfigFolders(const std::string& root) : ConfigFolders(ConfigFolder{root, true}) {}
  ConfigFolders(const char* root) : ConfigFolders(std::string(root)) {}

  /// Whether there is none.
  bool empty() const { return models.empty() && hardware.empty() && training.empty(); }
  /// Adds folders that are searched after those here.
  void append(const ConfigFolders& later);
};

/// The paths, for messages: "a, b", or "no folder".
std::string joined_paths(const std::vector<ConfigFolder>& folders);

/// Paths of the .toml files in a folder, in alphabetical order. Throws InputError if it cannot be read; `what` says
/// what it holds ("model").
std::vector<std::string> toml_files(const std::string& folder, std::string_view what);

}  // namespace pimsweep
