#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pimsweep {

/// A folder that is searched for files by name.
struct ConfigFolder {
  std::string path;
  /// True if it was installed with the program: results files need not store its definitions.
  bool is_installed = false;
  /// Definitions stored in a results file (the path): the text that defined each name. Empty for real folders.
  std::map<std::string, std::string> kept = {};
};

/// Search paths for models, hardware and training steps. The first folder that defines a name wins.
struct ConfigFolders {
  std::vector<ConfigFolder> models;
  std::vector<ConfigFolder> hardware;
  std::vector<ConfigFolder> training;

  ConfigFolders() = default;
  /// The existing subfolders models, hardware and training of `root`.
  explicit ConfigFolders(const ConfigFolder& root);
  /// The folders of an installation. Implicit, so that callers can pass the path of its root.
  ConfigFolders(const std::string& root) : ConfigFolders(ConfigFolder{root, true}) {}
  ConfigFolders(const char* root) : ConfigFolders(std::string(root)) {}

  bool empty() const { return models.empty() && hardware.empty() && training.empty(); }
  /// Appends folders that are searched after the present ones.
  void append(const ConfigFolders& later);
};

/// The paths, for messages: "a, b", or "no folder".
std::string joined_paths(const std::vector<ConfigFolder>& folders);

/// Paths of the .toml files in a folder, in alphabetical order. Throws InputError if it cannot be read; `what` names
/// its content in the message ("model").
std::vector<std::string> toml_files(const std::string& folder, std::string_view what);

}  // namespace pimsweep
