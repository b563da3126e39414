#include "hardware/newton/preset_library.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/error.h"
#include "base/posix_file.h"
#include "base/quantity.h"
#include "hardware/newton/constants.h"

namespace pimsweep::hardware::newton {

namespace {

constexpr std::string_view file_prefix = "newton-";
constexpr std::string_view base_file = "newton-GDDR6_3500.toml";

std::vector<std::string> preset_paths(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator file(directory, error), end; !error && file != end; file.increment(error)) {
    const std::string name = file->path().filename().string();
    if (name.starts_with(file_prefix) && name.ends_with(".toml")) paths.push_back(file->path().string());
  }
  if (error) throw InputError(fmt::format("cannot read the hardware directory '{}': {}", directory, error.message()));
  std::sort(paths.begin(), paths.end());
  const auto base = std::find_if(paths.begin(), paths.end(),
                                 [](const auto& path) { return std::filesystem::path(path).filename() == base_file; });
  if (base == paths.end()) {
    throw InputError(fmt::format("'{}' lacks {}, which every Newton preset builds on", directory, base_file));
  }
  std::rotate(paths.begin(), base, base + 1);
  return paths;
}

/// Reads one file and collects what is wrong with it.
class Reader {
 public:
  Reader(std::string path, ProblemList& problems) : path_(std::move(path)), problems_(problems) {}

  /// `base`: values of what the file leaves out; null for the file that has to be complete.
  Preset read(const std::vector<Value>* base) {
    Preset preset;
    preset.name = std::filesystem::path(path_).stem().string().substr(file_prefix.size());
    const toml::table root = parse();
    for (std::size_t i = 0; i < constants().size(); ++i) {
      const Constant& constant = constants()[i];
      const toml::node_view<const toml::node> view = root.at_path(fmt::format("{}.value", constant.key));
      std::optional<Value> value;
      if (view.node() != nullptr) {
        value = read_value(constant, *view.node());
      } else if (base != nullptr) {
        value = (*base)[i];
      } else {
        problems_.add({path_, 0, 0}, fmt::format("[{}] with a value is missing ({})", constant.key, constant.doc));
      }
      preset.values.push_back(value.value_or(Value{}));
      if (value) constant.set(preset.dram, *value);
    }
    check_keys(root, "");
    std::string content;
    for (const Value& value : preset.values) content += to_text(value) + "\n";
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
    std::optional<Value> value;
    std::string needed;
    if (constant.type() == ValueType::boolean) {
      needed = "true or false";
      if (const auto* flag = node.as_boolean()) value = flag->get();
    } else if (constant.type() == ValueType::integer) {
      needed = fmt::format("an integer from {} to {}", constant.min, constant.max);
      if (const auto* number = node.as_integer()) value = number->get();
    } else {
      needed = fmt::format("a quantity from {} to {}", format_quantity(constant.min, constant.unit),
                           format_quantity(constant.max, constant.unit));
      if (const auto* text = node.as_string()) {
        try {
          value = parse_quantity(text->get(), constant.unit);
        } catch (const InputError& error) {
          problem(node, fmt::format("[{}]: {}", constant.key, error.what()));
          return std::nullopt;
        }
      }
    }
    const bool in_range = value && (constant.type() == ValueType::boolean ||
                                    (to_real(*value) >= constant.min && to_real(*value) <= constant.max));
    if (in_range) return value;
    problem(node, fmt::format("[{}] needs {}", constant.key, needed));
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
    Preset preset = Reader(path, problems).read(presets_.empty() ? nullptr : &presets_.front().values);
    presets_.push_back(std::move(preset));
  }
  problems.throw_if_any();
}

const Preset* PresetLibrary::find(std::string_view name) const {
  const auto found =
      std::find_if(presets_.begin(), presets_.end(), [&](const Preset& preset) { return preset.name == name; });
  return found == presets_.end() ? nullptr : &*found;
}

}  // namespace pimsweep::hardware::newton
