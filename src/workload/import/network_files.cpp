#include "workload/import/network_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "base/base64.h"
#include "base/error.h"
#include "base/posix_file.h"
#include "workload/import/formats.h"

namespace pimsweep::workload::import {

namespace {

/// Networks of this process: each rank reads its experiment once, and all systems share its networks.
struct Registry {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const NetworkFile>, std::less<>> networks;
};

Registry& registry() {
  static Registry instance;
  return instance;
}

/// Parsed network name, such as "nets.toml:large" or "net.onnx".
struct FileName {
  std::string file;
  std::string model;
  /// Null if no format has this extension.
  const Format* format = nullptr;
};

FileName parse_name(std::string_view name) {
  for (const Format& format : formats) {
    if (name.ends_with(format.extension)) return {std::string(name), {}, &format};
    // Finds the last extension that is followed by a colon.
    std::size_t end = name.rfind(':');
    while (end != std::string_view::npos && !name.substr(0, end).ends_with(format.extension))
      end = end == 0 ? std::string_view::npos : name.rfind(':', end - 1);
    if (end == std::string_view::npos) continue;
    return {std::string(name.substr(0, end)), std::string(name.substr(end + 1)), &format};
  }
  return {};
}

/// Name of a network on the axis `model`.
std::string short_name(const FileName& name) {
  const std::filesystem::path path = name.file;
  std::filesystem::path kept = path.filename();
  // All networks from Hugging Face have this file name, so the folder is kept, too.
  if (kept == "config.json") kept = path.parent_path().filename() / kept;
  return name.model.empty() ? kept.string() : fmt::format("{}:{}", kept.string(), name.model);
}

std::shared_ptr<const NetworkFile> make_network(const FileName& name, std::string kept, const ReadingOptions& options) {
  NetworkFile file;
  file.name = short_name(name);
  file.bytes = std::move(kept);
  file.options = options;
  file.path = name.file;
  file.model = name.format->read(file.bytes, {name.file, name.model, options});
  return std::make_shared<const NetworkFile>(std::move(file));
}

std::shared_ptr<const NetworkFile> add_network(std::shared_ptr<const NetworkFile> file) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto [known, added] = all.networks.emplace(file->name, file);
  if (!added && known->second->model.content != file->model.content) {
    throw InputError(fmt::format("'{}' is another network than '{}', but has the same file name: rename one of them",
                                 file->path, known->second->path));
  }
  return known->second;
}

/// Throws InputError if no format has this extension.
FileName parse_known_name(const std::string& name) {
  FileName parts = parse_name(name);
  if (parts.format != nullptr) return parts;
  std::vector<std::string_view> extensions;
  extensions.reserve(formats.size());
  for (const Format& format : formats) extensions.push_back(format.extension);
  throw InputError(
      fmt::format("'{}' is not a network file: its name must end in {}", name, fmt::join(extensions, ", ")));
}

}  // namespace

std::string NetworkFile::text() const {
  const std::string first = options.first == FirstDimension::automatic
                                ? ""
                                : fmt::format("/{}", word_of(first_dimension_words, options.first));
  return fmt::format("{}{} {}", word_of(unknown_words, options.unknown), first, to_base64(bytes));
}

bool is_network_file(std::string_view model) { return parse_name(model).format != nullptr; }

std::shared_ptr<const NetworkFile> read_network_file(const std::string& path, const ReadingOptions& options) {
  const FileName name = parse_known_name(path);
  std::error_code unreadable;
  const std::uintmax_t bytes = std::filesystem::file_size(name.file, unreadable);
  if (!unreadable && bytes > name.format->max_bytes) {
    throw InputError({name.file}, fmt::format("the file has {} bytes, more than the {} that a {} network may have",
                                              bytes, name.format->max_bytes, name.format->extension));
  }
  return add_network(make_network(name, name.format->keep(read_file(name.file), name.file), options));
}

std::shared_ptr<const NetworkFile> restore_network(const std::string& name, const std::string& text) {
  const std::size_t blank = text.find(' ');
  const std::string_view words = std::string_view(text).substr(0, blank);
  const std::size_t slash = words.find('/');
  const auto unknown = value_of(unknown_words, words.substr(0, slash));
  const auto first = slash == std::string_view::npos ? FirstDimension::automatic
                                                     : value_of(first_dimension_words, words.substr(slash + 1));
  if (blank == std::string::npos || !unknown || !first) {
    throw InputError(fmt::format("the network '{}' is not stored with the results, or it is damaged", name));
  }
  const std::optional<std::string> bytes = from_base64(std::string_view(text).substr(blank + 1));
  if (!bytes) throw InputError(fmt::format("the stored network '{}' is damaged", name));
  return add_network(make_network(parse_known_name(name), *bytes, {*unknown, *first}));
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
