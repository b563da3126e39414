#include "systems/dram/preset_library.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/error.h"
#include "base/posix_file.h"
#include "base/quantity.h"
#include "systems/dram/constants.h"

namespace pimsweep::dram {

namespace {

constexpr std::string_view file_prefix = "dram-";

std::vector<std::string> preset_paths(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator file(directory, error), end; !error && file != end; file.increment(error)) {
    const std::string name = file->path().filename().string();
    if (name.starts_with(file_prefix) && name.ends_with(".toml")) paths.push_back(file->path().string());
  }
  if (error) throw InputError(fmt::format("cannot read the hardware directory '{}': {}", directory, error.message()));
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// Reads one file and collects what is wrong with it.
class Reader {
 public:
  Reader(std::string path, ProblemList& problems) : path_(std::move(path)), problems_(problems) {}

  Preset read() {
    Preset preset;
    preset.name = std::filesystem::path(path_).stem().string().substr(file_prefix.size());
    const toml::table root = parse();
    preset.long_name = root["name"].value_or(preset.name);
    bool complete = true;
    std::string content;
    for (const Constant& constant : constants()) {
      const toml::node_view<const toml::node> view = root.at_path(fmt::format("{}.value", constant.key));
      std::optional<Value> value;
      if (view.node() == nullptr) {
        problems_.add({path_, 0, 0}, fmt::format("[{}] with a value is missing ({})", constant.key, constant.doc));
      } else {
        value = read_value(constant, *view.node());
      }
      complete = complete && value.has_value();
      if (value) constant.set(preset.dram, *value);
      preset.values.push_back(value.value_or(Value{}));
      content += to_text(preset.values.back()) + "\n";
    }
    check_keys(root, "");
    if (complete) {
      if (const std::string problem = problem_of(preset.dram); !problem.empty()) problems_.add({path_, 0, 0}, problem);
    }
    preset.content = hash128(content);
    return preset;
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

  std::optional<Value> read_value(const Constant& constant, const toml::node& node) {
    if (constant.type == ValueType::text) {
      const auto& names = hardware::dram::standard_names;
      const std::string text = node.value_or(std::string());
      if (std::find(names.begin(), names.end(), text) != names.end()) return Value{text};
      problem(node, fmt::format("[{}] needs one of {}", constant.key, fmt::join(names, ", ")));
      return std::nullopt;
    }
    std::optional<Value> value;
    if (const auto* number = node.as_integer(); number != nullptr && constant.unit == "1") {
      value = number->get();
    } else if (const auto* text = node.as_string(); text != nullptr && constant.unit != "1") {
      try {
        const double quantity = parse_quantity(text->get(), constant.unit);
        value = constant.type == ValueType::integer ? Value{static_cast<std::int64_t>(quantity)} : Value{quantity};
      } catch (const InputError& error) {
        problem(node, fmt::format("[{}]: {}", constant.key, error.what()));
        return std::nullopt;
      }
    }
    if (value && to_real(*value) >= constant.min && to_real(*value) <= constant.max) return value;
    problem(node,
            fmt::format("[{}] needs {} from {} to {}", constant.key, constant.unit == "1" ? "an integer" : "a quantity",
                        format_quantity(constant.min, constant.unit), format_quantity(constant.max, constant.unit)));
    return std::nullopt;
  }

  void check_keys(const toml::table& table, const std::string& prefix) {
    std::vector<std::string> keys;
    for (const Constant& constant : constants()) keys.emplace_back(constant.key);
    for (const auto& [key, node] : table) {
      const std::string path = prefix + std::string(key.str());
      if (prefix.empty() && (path == "name" || path == "doc")) continue;
      if (std::find(keys.begin(), keys.end(), path) != keys.end()) continue;
      const bool section =
          std::any_of(keys.begin(), keys.end(), [&](const auto& known) { return known.starts_with(path + "."); });
      if (const toml::table* inner = node.as_table(); section && inner != nullptr) {
        check_keys(*inner, path + ".");
      } else {
        problem(node, fmt::format("there is no constant '{}'{}", path, suggestion(path, keys)));
      }
    }
  }

  std::string path_;
  ProblemList& problems_;
};

}  // namespace

PresetLibrary::PresetLibrary(const std::string& hardware_dir) {
  ProblemList problems;
  for (const std::string& path : preset_paths(hardware_dir)) {
    Preset preset = Reader(path, problems).read();
    for (const std::string& name : {preset.name, preset.long_name}) {
      if (find(name) != nullptr) problems.add({path, 0, 0}, fmt::format("a preset '{}' is there already", name));
    }
    presets_.push_back(std::move(preset));
  }
  problems.throw_if_any();
  if (find(default_name) == nullptr) {
    throw InputError(fmt::format("'{}' lacks {}{}.toml, the DRAM of studies that name none", hardware_dir, file_prefix,
                                 default_name));
  }
}

const Preset* PresetLibrary::find(std::string_view name) const {
  const auto found = std::find_if(presets_.begin(), presets_.end(), [&](const Preset& preset) {
    return preset.name == name || preset.long_name == name;
  });
  return found == presets_.end() ? nullptr : &*found;
}

}  // namespace pimsweep::dram
