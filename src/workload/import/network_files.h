#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workload/import/reading_options.h"
#include "workload/model.h"

namespace pimsweep::workload::import {

/// Network that an experiment names by its file.
struct NetworkFile {
  /// Name on the axis `model`: the file's name without its folder ("net.onnx"), which only a "config.json" keeps,
  /// followed by the model's name if the file holds several ("nets.toml:large").
  std::string name;
  /// Kept part of the file: of ONNX, everything but the values of weights.
  std::string bytes;
  ReadingOptions options = {};
  /// Path as given by the user, for messages.
  std::string path;
  Model model;

  /// Printable text from which restore_network() makes the network again.
  std::string text() const;
};

/// True if a value of the axis `model` names a file rather than a built-in model.
bool is_network_file(std::string_view model);

/// Reads a network and registers it under its name for all model libraries of this process. Throws InputError with all
/// unsupported nodes or keys, and if another network has the same name.
std::shared_ptr<const NetworkFile> read_network_file(const std::string& path, const ReadingOptions& options);

/// Registers a network from the text that NetworkFile::text() wrote.
std::shared_ptr<const NetworkFile> restore_network(const std::string& name, const std::string& text);

/// Networks that this process has read, by name.
std::vector<std::shared_ptr<const NetworkFile>> known_networks();

/// Network of this name, which lives as long as the process; throws InputError if there is none.
std::shared_ptr<const NetworkFile> find_network(std::string_view name);

}  // namespace pimsweep::workload::import
