#include "workload/import/network_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "base/base64.h"
#include "base/error.h"
#include "base/posix_file.h"
#include "workload/import/onnx_reader.h"
#include "workload/import/onnx_strip.h"

namespace pimsweep::workload::import {

namespace {

/// Raise it when a change of the importer changes operator graphs.
constexpr int importer_version = 1;

/// The networks of this process: each rank reads its experiment once, and all systems share what it names.
struct Registry {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const NetworkFile>, std::less<>> networks;
};

Registry& registry() {
  static Registry instance;
  return instance;
}

std::shared_ptr<const NetworkFile> make_network(std::string name, std::string bytes, UnknownNodes unknown,
                                                const std::string& path) {
  NetworkFile file;
  file.name = std::move(name);
  file.bytes = std::move(bytes);
  file.unknown = unknown;
  file.model = read_onnx(file.bytes, path);
  file.content = hash128(fmt::format("onnx {} {}\n{}", importer_version, word_of(unknown_words, unknown), file.bytes));
  return std::make_shared<const NetworkFile>(std::move(file));
}

std::shared_ptr<const NetworkFile> add_network(std::shared_ptr<const NetworkFile> file) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto [known, added] = all.networks.emplace(file->name, file);
  if (!added && known->second->content != file->content) {
    throw InputError(fmt::format("'{}' is another network than '{}', but has the same file name: rename one of them",
                                 file->model.file, known->second->model.file));
  }
  return known->second;
}

}  // namespace

std::string NetworkFile::text() const {
  return fmt::format("{} {}", word_of(unknown_words, unknown), to_base64(bytes));
}

bool is_network_file(std::string_view model) { return model.ends_with(".onnx"); }

std::shared_ptr<const NetworkFile> read_network_file(const std::string& path, UnknownNodes unknown) {
  auto file = make_network(std::filesystem::path(path).filename().string(), strip_weights(read_file(path), path),
                           unknown, path);
  check_network(file->model, unknown);
  return add_network(std::move(file));
}

std::shared_ptr<const NetworkFile> restore_network(const std::string& name, const std::string& text) {
  const std::size_t blank = text.find(' ');
  const auto unknown = value_of(unknown_words, text.substr(0, blank));
  if (blank == std::string::npos || !unknown) {
    throw InputError(fmt::format("the network '{}' is not stored with the results, or it is damaged", name));
  }
  const std::optional<std::string> bytes = from_base64(std::string_view(text).substr(blank + 1));
  if (!bytes) throw InputError(fmt::format("the stored network '{}' is damaged", name));
  return add_network(make_network(name, *bytes, *unknown, name));
}

std::vector<std::shared_ptr<const NetworkFile>> known_networks() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  std::vector<std::shared_ptr<const NetworkFile>> networks;
  networks.reserve(all.networks.size());
  for (const auto& [name, network] : all.networks) networks.push_back(network);
  return networks;
}

std::shared_ptr<const NetworkFile> find_network(std::string_view name) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.networks.find(name);
  if (found == all.networks.end()) {
    throw InputError(fmt::format("the network '{}' was not read: name its file in an experiment", name));
  }
  return found->second;
}

}  // namespace pimsweep::workload::import
