#include "sweep/hardware_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/posix_file.h"
#include "sweep/axis_value.h"
#include "sweep/toml_input.h"

namespace pimsweep {

namespace {

constexpr std::string_view kPrefix = "hardware.";

/// Reads one file and collects what is wrong with it.
class Reader {
 public:
  Reader(HardwareFile& file, const Schema& schema) : file_(file), schema_(schema) {
    for (const Axis& axis : schema.axes) {
      if (axis.name.starts_with(kPrefix)) keys_.push_back(axis.name.substr(kPrefix.size()));
    }
  }

  void read() {
    const toml::table root = parse_toml(file_.text, file_.path);
    for (const auto& [key, node] : in_file_order(root)) {
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
  SourcePosition at(const toml::key& key) const { return position_of(key, file_.path); }
  SourcePosition at(const toml::node& node) const { return position_of(node, file_.path); }

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
    const Axis& axis = schema_.axes[static_cast<std::size_t>(schema_.axis_index(std::string(kPrefix) + path))];
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

  void read_value(const Axis& axis, const toml::node& node, HardwareConstant& constant) {
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
      const Axis& axis = schema_.axes[static_cast<std::size_t>(schema_.axis_index(std::string(kPrefix) + key))];
      if (axis.default_value) continue;
      problems_.add({file_.path, 0, 0}, fmt::format("the constant [{}] is missing ({}); system '{}' needs it", key,
                                                    axis.doc.empty() ? axis.unit : axis.doc, schema_.name));
    }
  }

  HardwareFile& file_;
  const Schema& schema_;
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

HardwareFile load_hardware(const std::string& name_or_path, const Schema& schema, const std::string& config_dir) {
  HardwareFile file;
  const bool is_path = name_or_path.ends_with(".toml") || name_or_path.find('/') != std::string::npos;
  if (is_path) {
    file.path = name_or_path;
  } else {
    const std::vector<std::string> names = hardware_names(config_dir);
    if (std::find(names.begin(), names.end(), name_or_path) == names.end()) {
      throw InputError(fmt::format("there is no hardware '{}'{}; available: {}", name_or_path,
                                   suggestion(name_or_path, names),
                                   names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
    }
    file.path = (std::filesystem::path(config_dir) / "hardware" / (name_or_path + ".toml")).string();
  }
  file.text = read_file(file.path);
  Reader(file, schema).read();
  return file;
}

}  // namespace pimsweep
