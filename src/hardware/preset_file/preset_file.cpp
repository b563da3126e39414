#include "hardware/preset_file/preset_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/posix_file.h"
#include "base/quantity.h"
#include "base/toml.h"

namespace pimsweep::hardware::preset_file {

namespace {

/// Reads one file and collects what is wrong with it.
class Reader {
 public:
  Reader(std::string path, std::span<const PresetKey> keys, ProblemList& problems)
      : path_(std::move(path)), keys_(keys), problems_(problems) {}

  PresetFile read(std::string_view prefix, std::span<const Value> defaults) {
    PresetFile file;
    file.path = path_;
    file.name = std::filesystem::path(path_).stem().string().substr(prefix.size());
    const toml::table root = parse();
    file.long_name = root["name"].value_or(file.name);
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const toml::node_view<const toml::node> view = root.at_path(fmt::format("{}.value", keys_[i].key));
      std::optional<Value> value;
      if (view.node() != nullptr) {
        value = read_value(keys_[i], *view.node());
      } else if (!defaults.empty()) {
        value = defaults[i];
      } else {
        problems_.add({path_, 0, 0}, fmt::format("[{}] with a value is missing ({})", keys_[i].key, keys_[i].doc));
      }
      file.values.push_back(std::move(value));
    }
    check_keys(root, "");
    return file;
  }

 private:
  toml::table parse() {
    try {
      return toml::parse(read_file(path_), path_);
    } catch (const toml::parse_error& error) {
      problems_.add({path_, error.source().begin.line, error.source().begin.column}, std::string(error.description()));
      return {};
    }
  }

  void problem(const toml::node& node, std::string message) {
    problems_.add({path_, node.source().begin.line, node.source().begin.column}, std::move(message));
  }

  static std::string needed_of(const PresetKey& key) {
    if (key.type == ValueType::text) return fmt::format("one of {}", fmt::join(key.choices, ", "));
    if (key.type == ValueType::boolean) return "true or false";
    return fmt::format("{} from {} to {}", is_count(key) ? "an integer" : "a quantity",
                       format_quantity(key.min, key.unit), format_quantity(key.max, key.unit));
  }

  static bool is_count(const PresetKey& key) { return key.type == ValueType::integer && key.unit == "1"; }

  static bool allowed(const PresetKey& key, const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) {
      return std::find(key.choices.begin(), key.choices.end(), *text) != key.choices.end();
    }
    if (std::holds_alternative<bool>(value)) return true;
    return to_real(value) >= key.min && to_real(value) <= key.max;
  }

  std::optional<Value> read_value(const PresetKey& key, const toml::node& node) {
    std::optional<Value> value;
    if (key.type == ValueType::text) {
      if (const auto* text = node.as_string()) value.emplace(text->get());
    } else if (key.type == ValueType::boolean) {
      if (const auto* flag = node.as_boolean()) value = flag->get();
    } else if (is_count(key)) {
      if (const auto* number = node.as_integer()) value = number->get();
    } else if (const auto* text = node.as_string()) {
      try {
        const double quantity = parse_quantity(text->get(), key.unit);
        if (key.type == ValueType::integer) {
          value.emplace(static_cast<std::int64_t>(quantity));
        } else {
          value.emplace(quantity);
        }
      } catch (const InputError& error) {
        problem(node, fmt::format("[{}]: {}", key.key, error.what()));
        return std::nullopt;
      }
    }
    if (value && allowed(key, *value)) return value;
    problem(node, fmt::format("[{}] needs {}", key.key, needed_of(key)));
    return std::nullopt;
  }

  void check_keys(const toml::table& table, const std::string& prefix) {
    std::vector<std::string> names;
    for (const PresetKey& key : keys_) names.emplace_back(key.key);
    for (const auto& [key, node] : table) {
      const std::string path = prefix + std::string(key.str());
      if (prefix.empty() && (path == "name" || path == "doc" || path == "base")) continue;
      if (std::find(names.begin(), names.end(), path) != names.end()) continue;
      const bool section =
          std::any_of(names.begin(), names.end(), [&](const auto& known) { return known.starts_with(path + "."); });
      if (const toml::table* inner = node.as_table(); section && inner != nullptr) {
        check_keys(*inner, path + ".");
      } else {
        problem(node, fmt::format("there is no constant '{}'{}", path, suggestion(path, names)));
      }
    }
  }

  std::string path_;
  std::span<const PresetKey> keys_;
  ProblemList& problems_;
};

}  // namespace

std::vector<std::string> preset_paths(const std::string& directory, std::string_view prefix) {
  std::vector<std::string> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator file(directory, error), end; !error && file != end; file.increment(error)) {
    const std::string name = file->path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(".toml")) paths.push_back(file->path().string());
  }
  if (error) throw InputError(fmt::format("cannot read the hardware directory '{}': {}", directory, error.message()));
  std::sort(paths.begin(), paths.end());
  return paths;
}

PresetFile read_preset_file(const std::string& path, std::string_view prefix, std::span<const PresetKey> keys,
                            std::span<const Value> defaults, ProblemList& problems) {
  return Reader(path, keys, problems).read(prefix, defaults);
}

}  // namespace pimsweep::hardware::preset_file
