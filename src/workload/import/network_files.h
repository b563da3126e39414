#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workload/import/reading_options.h"
#include "workload/model.h"

namespace pimsweep::workload::import {

/// A network that an experiment names by its file.
struct NetworkFile {
  /// What stands for the network on the axis `model`: the file's name without its folder ("net.onnx"), which a
  /// "config.json" keeps, with the name of the model where a file has several ("nets.toml:large").
  std::string name;
  /// What is kept of the file: an ONNX file without the values of its weights.
  std::string bytes;
  ReadingOptions options = {};
  /// The path as it was read, for messages.
  std::string path;
  Model model;

  /// All that is needed to make the network again, as printable text.
  std::string text() const;
};

/// Whether a value of the axis `model` is a file rather than the name of a model.
bool is_network_file(std::string_view model);

/// Reads a network; throws InputError with all nodes or keys that cannot be taken. All model libraries of this process
/// know it by its name from then on. Another network of the same name is an InputError.
std::shared_ptr<const NetworkFile> read_network_file(const std::string& path, const ReadingOptions& options);

/// Adds a network that NetworkFile::text() wrote.
std::shared_ptr<const NetworkFile> restore_network(const std::string& name, const std::string& text);

/// The networks that this process has read, by name.
std::vector<std::shared_ptr<const NetworkFile>> known_networks();

/// A network by its name; throws InputError if none was read. It lives as long as the process.
std::shared_ptr<const NetworkFile> find_network(std::string_view name);

}  // namespace pimsweep::workload::import
