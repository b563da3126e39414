#include "sweep/hardware_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/posix_file.h"
#include "sweep/axis_value.h"
#include "sweep/toml_input.h"

namespace pimsweep::sweep {

namespace {

constexpr std::string_view prefix = "hardware.";
constexpr std::string_view kParts = "parts";
constexpr std::string_view kBase = "base";

/// Where a hardware file lies; throws InputError if a name is not one of configs/hardware.
std::string path_of(const std::string& name_or_path, const std::string& config_dir) {
  if (name_or_path.ends_with(".toml") || name_or_path.find('/') != std::string::npos) return name_or_path;
  const std::vector<std::string> names = hardware_names(config_dir);
  if (std::find(names.begin(), names.end(), name_or_path) == names.end()) {
    throw InputError(fmt::format("there is no hardware '{}'{}; available: {}", name_or_path,
                                 suggestion(name_or_path, names),
                                 names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
  return (std::filesystem::path(config_dir) / "hardware" / (name_or_path + ".toml")).string();
}

/// Reads one file and collects what is wrong with it.
class Reader {
 public:
  Reader(HardwareFile& file, const systems::Schema& schema, const std::string& config_dir)
      : file_(file), schema_(schema), config_dir_(config_dir), path_(file.path) {
    for (const systems::Axis& axis : schema.axes) {
      if (axis.name.starts_with(prefix)) keys_.push_back(axis.name.substr(prefix.size()));
    }
  }

  void read() {
    const toml::table root = parse_toml(file_.text, file_.path);
    if (const toml::node* base = root.get(kBase)) read_part("", *base);
    if (const toml::node* parts = root.get(kParts)) read_parts(*parts);
    for (const auto& [key, node] : in_file_order(root)) {
      if (key->str() == kParts || key->str() == kBase) continue;
      if (key->str() == "name") {
        file_.name = read_text(*key, *node);
      } else if (key->str() == "doc") {
        file_.doc = read_text(*key, *node);
      } else {
        read_entry(std::string(key->str()), *key, *node);
      }
    }
    if (!root.contains("name")) file_.name = std::filesystem::path(file_.path).stem().string();
    report_missing();
    problems_.throw_if_any();
  }

 private:
  SourcePosition at(const toml::key& key) const { return position_of(key, path_); }
  SourcePosition at(const toml::node& node) const { return position_of(node, path_); }

  /// `[parts]`: each key is a section that takes the constants of another file. What the file itself says comes later
  /// and replaces them.
  void read_parts(const toml::node& node) {
    const toml::table* parts = node.as_table();
    if (parts == nullptr) {
      problems_.add(at(node),
                    fmt::format("'{}' needs a table of sections and hardware files, read {}", kParts, describe(node)));
      return;
    }
    for (const auto& [section, name] : in_file_order(*parts)) read_part(std::string(section->str()), *name);
  }

  /// `base`: a part without a section of its own (`section` is empty), which may have parts itself.
  void read_part(const std::string& section, const toml::node& name) {
    const auto* text = name.as_string();
    if (text == nullptr || (!section.empty() && !is_section(section))) {
      std::vector<std::string> sections;
      for (const std::string& key : keys_) sections.push_back(key.substr(0, key.find('.')));
      problems_.add(at(name), text == nullptr
                                  ? fmt::format("a part needs the name of a hardware file, read {}", describe(name))
                                  : fmt::format("system '{}' has no section '{}'{}", schema_.name, section,
                                                suggestion(section, sections)));
      return;
    }
    const std::string outer = path_;
    try {
      const std::string path = path_of(text->get(), config_dir_);
      const std::string part = read_file(path);
      file_.text += fmt::format("\n# {}: {}\n{}", section.empty() ? "base" : "part " + section, path, part);
      path_ = path;
      const toml::table root = parse_toml(part, path);
      if (const toml::node* parts = section.empty() ? root.get(kParts) : nullptr) read_parts(*parts);
      for (const auto& [key, node] : in_file_order(root)) {
        if (key->str() == "name" || key->str() == "doc" || (section.empty() && key->str() == kParts)) continue;
        read_entry(section.empty() ? std::string(key->str()) : fmt::format("{}.{}", section, key->str()), *key, *node);
      }
    } catch (const InputError& error) {
      path_ = outer;
      problems_.add(at(name), error.what());
    }
    path_ = outer;
  }

  std::string read_text(const toml::key& key, const toml::node& node) {
    const auto* text = node.as_string();
    if (text != nullptr && !text->get().empty()) return text->get();
    problems_.add(at(node), fmt::format("'{}' needs text that is not empty, read {}", key.str(), describe(node)));
    return {};
  }

  bool is_constant(const std::string& path) const { return std::find(keys_.begin(), keys_.end(), path) != keys_.end(); }

  bool is_section(const std::string& path) const {
    return std::any_of(keys_.begin(), keys_.end(), [&](const std::string& key) { return key.starts_with(path + "."); });
  }

  void read_entry(const std::string& path, const toml::key& key, const toml::node& node) {
    const toml::table* table = node.as_table();
    if (is_constant(path)) {
      seen_.push_back(path);
      if (table == nullptr) {
        problems_.add(at(node), fmt::format("'{0}' needs a table with value and source, read {1}: write [{0}], value = "
                                            "..., source = \"...\"",
                                            path, describe(node)));
      } else {
        read_constant(path, *table, at(key));
      }
      return;
    }
    // A section that the system does not know is descended into, so that each of its constants is named.
    const bool only_tables =
        table != nullptr && !table->empty() &&
        std::all_of(table->begin(), table->end(), [](auto&& entry) { return entry.second.is_table(); });
    if (only_tables || (table != nullptr && is_section(path))) {
      for (const auto& [child, child_node] : in_file_order(*table)) {
        read_entry(fmt::format("{}.{}", path, child->str()), *child, *child_node);
      }
      return;
    }
    problems_.add(at(key), fmt::format("system '{}' has no hardware constant '{}'{}", schema_.name, path,
                                       suggestion(path, keys_)));
  }

  void read_constant(const std::string& path, const toml::table& table, const SourcePosition& where) {
    static const std::vector<std::string> kAllowed{"value", "source", "calibrated", "note"};
    HardwareConstant constant;
    constant.where = where;
    const systems::Axis& axis = schema_.axes[static_cast<std::size_t>(schema_.axis_index(std::string(prefix) + path))];
    for (const auto& [key, node] : in_file_order(table)) {
      if (key->str() == "value") {
        read_value(axis, *node, constant);
      } else if (key->str() == "source") {
        constant.source = read_text(*key, *node);
      } else if (key->str() == "calibrated") {
        read_calibrated(*node, constant);
      } else if (key->str() == "note") {
        read_text(*key, *node);
      } else {
        problems_.add(at(*key), fmt::format("unknown key '{}' in [{}]{}; allowed: {}", key->str(), path,
                                            suggestion(key->str(), kAllowed), fmt::join(kAllowed, ", ")));
      }
    }
    if (!table.contains("value")) problems_.add(where, fmt::format("[{}] needs a value", path));
    if (!table.contains("source")) {
      problems_.add(where, fmt::format("[{}] needs a source: where the number is from", path));
    }
    file_.constants.insert_or_assign(path, std::move(constant));
  }

  void read_value(const systems::Axis& axis, const toml::node& node, HardwareConstant& constant) {
    const std::optional<Value> value = scalar_of(node);
    if (!value) {
      problems_.add(at(node), fmt::format("'{}' needs one value, read {}", axis.name, describe(node)));
      return;
    }
    try {
      constant.value = convert_value(axis, *value);
    } catch (const InputError& error) {
      problems_.add(at(node), error.what());
    }
  }

  void read_calibrated(const toml::node& node, HardwareConstant& constant) {
    const auto add = [&](const toml::node& id) {
      const auto* text = id.as_string();
      if (text != nullptr && !text->get().empty()) {
        constant.calibrated_to.push_back(text->get());
      } else {
        problems_.add(at(id), fmt::format("'calibrated' needs the ids of published values, read {}", describe(id)));
      }
    };
    const toml::array* ids = node.as_array();
    if (ids == nullptr) {
      add(node);
      return;
    }
    if (ids->empty()) problems_.add(at(node), "'calibrated' needs at least one id of a published value");
    for (const toml::node& id : *ids) add(id);
  }

  void report_missing() {
    for (const std::string& key : keys_) {
      if (std::find(seen_.begin(), seen_.end(), key) != seen_.end()) continue;
      const systems::Axis& axis = schema_.axes[static_cast<std::size_t>(schema_.axis_index(std::string(prefix) + key))];
      if (axis.default_value) continue;
      problems_.add({file_.path, 0, 0}, fmt::format("the constant [{}] is missing ({}); system '{}' needs it", key,
                                                    axis.doc.empty() ? axis.unit : axis.doc, schema_.name));
    }
  }

  HardwareFile& file_;
  const systems::Schema& schema_;
  const std::string& config_dir_;
  /// Of what is being read: the file, or one of its parts.
  std::string path_;
  /// What the schema declares, without the prefix.
  std::vector<std::string> keys_;
  std::vector<std::string> seen_;
  ProblemList problems_;
};

}  // namespace

std::vector<std::string> hardware_names(const std::string& config_dir) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(config_dir) / "hardware", error)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

HardwareFile load_hardware(const std::string& name_or_path, const systems::Schema& schema,
                           const std::string& config_dir) {
  HardwareFile file;
  file.path = path_of(name_or_path, config_dir);
  file.text = read_file(file.path);
  Reader(file, schema, config_dir).read();
  return file;
}

}  // namespace pimsweep::sweep
