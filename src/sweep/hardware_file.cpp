#include "sweep/hardware_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <set>
#include <system_error>

#include "base/file_format.h"
#include "base/posix_file.h"
#include "base/toml.h"
#include "sweep/hardware_axis.h"
#include "sweep/scale_sim_file.h"
#include "systems/devices/gpu_file.h"

namespace pimsweep::sweep {

namespace {

constexpr std::string_view parts_key = "parts";
constexpr std::string_view base_key = "base";

/// The hardware file of a GPU has its name. A system whose machines have a number of GPUs takes it for a machine of one
/// such GPU, with all else as in the file `one_gpu`.
constexpr std::string_view gpu_name_key = "card";
constexpr std::string_view gpu_section = "gpu";
constexpr std::string_view gpu_count_key = "gpu.count";
/// A constant that every system with a GPU requires.
constexpr std::string_view multiprocessors_key = "sm.count";
constexpr const char* one_gpu = "one-gpu";

/// Constants of a memory that only system `dram` has as those of a machine, and that only PIM has.
constexpr std::string_view memory_rules = "rules";
constexpr std::string_view memory_stack_channels = "stack.channels";

bool is_gpu_file(const toml::table& root) { return root.contains(gpu_name_key); }

/// Reads a file with its parts and collects their problems.
class HardwareReader {
 public:
  HardwareReader(HardwareFile& file, const systems::Schema& schema, const ConfigFolders& configs)
      : file_(file), schema_(schema), configs_(configs) {
    for (const systems::Axis& axis : schema.axes) {
      if (is_hardware_constant(axis)) keys_.push_back(axis.name.substr(hardware_prefix.size()));
    }
  }

  /// The file as a section, without what only system `dram` uses.
  void read_as_section() {
    const toml::table root = parse_toml(file_.text, file_.path);
    // Its base is appended to the text.
    const std::string own_text = file_.text;
    TomlReader reader(own_text, file_.path, problems_);
    require_format(root, reader);
    read_parts(file_.section, root, {file_.path}, reader);
    read_constants(file_.section, root, {"name", "doc", format_key, base_key}, reader);
    if (problems_.problems().empty() && !file_.constants.contains(std::string(memory_clock)))
      problems_.add({file_.path}, "not the file of a memory: it has no clock_period");
    problems_.throw_if_any();
  }

  void read() {
    const toml::table root = parse_toml(file_.text, file_.path);
    // The file's own constants come last, because they override those of its parts.
    const std::string own_text = file_.text;
    TomlReader reader(own_text, file_.path, problems_);
    require_format(root, reader);
    file_.is_gpu = is_gpu_file(root);
    const bool is_machine_of_it = file_.is_gpu && is_among(std::string(gpu_count_key), keys_);
    const std::string section(is_machine_of_it ? gpu_section : "");
    if (is_machine_of_it) read_part_file("", one_gpu, {file_.path});
    read_parts(section, root, {file_.path}, reader);
    for (const auto& [key, node] : in_file_order(root)) {
      if (key->str() == "name") file_.name = read_text(*key, *node, reader);
      if (key->str() == "doc") file_.doc = read_text(*key, *node, reader);
    }
    read_constants(section, root, {"name", "doc", format_key, base_key, parts_key}, reader);
    if (!root.contains("name")) file_.name = file_.short_name;
    report_missing();
    problems_.throw_if_any();
  }

 private:
  static std::string read_text(const toml::key& key, const toml::node& node, TomlReader& reader) {
    return reader.nonempty_text(key, node).value_or(PlacedText{}).text;
  }

  /// Throws all problems so far if the file has another format, in which other problems may be valid.
  void require_format(const toml::table& root, TomlReader& reader) const {
    if (!has_known_format(root, "hardware file", hardware_format, reader)) problems_.throw_if_any();
  }

  /// Paths of the files being read, outermost first, which detect a file that includes itself.
  using Chain = std::vector<std::string>;

  /// Reads `base` and, unless the file itself is a part, `[parts]`, in which each key is a section that includes the
  /// constants of another file.
  void read_parts(const std::string& section, const toml::table& root, const Chain& chain, TomlReader& reader) {
    if (const toml::node* base = root.get(base_key)) read_part(section, *base, chain, reader);
    const auto parts = root.find(parts_key);
    if (parts == root.end() || !section.empty()) return;
    const toml::table* table = reader.table(parts->first, parts->second, "a table of sections and hardware files");
    if (table == nullptr) return;
    for (const auto& [part, name] : in_file_order(*table)) read_part(std::string(part->str()), *name, chain, reader);
  }

  /// Reads one part. The `base` of a file that is not itself a part has an empty section.
  void read_part(const std::string& section, const toml::node& name, const Chain& chain, TomlReader& reader) {
    const auto* text = name.as_string();
    if (text == nullptr) {
      reader.problem(name, fmt::format("expected the name of a hardware file as a part, got {}", describe(name)));
    } else if (!section.empty() && !is_section(section)) {
      std::vector<std::string> sections;
      for (const std::string& key : keys_) sections.push_back(key.substr(0, key.find('.')));
      reader.problem(name, fmt::format("system '{}' does not have a section '{}'{}", schema_.name, section,
                                       suggestion(section, sections)));
    } else {
      try {
        read_part_file(section, text->get(), chain);
      } catch (const InputError& error) {
        problems_.add_at(reader.at(name), error);
      }
    }
  }

  void read_part_file(const std::string& section, const std::string& name, Chain chain) {
    // A path is relative to the file that has it.
    const std::filesystem::path folder = std::filesystem::path(chain.back()).parent_path();
    const std::string path =
        is_hardware_path(name) ? (folder / name).lexically_normal().string() : hardware_path(name, configs_);
    chain.push_back(path);
    if (is_among(path, {chain.begin(), chain.end() - 1})) {
      throw InputError(fmt::format("a hardware file is its own base: {}", fmt::join(chain, ", ")));
    }
    const std::string text = read_file(path);
    file_.text += fmt::format("\n# {}: {}\n{}", section.empty() ? "base" : "part " + section, path, text);
    const toml::table root = parse_toml(text, path);
    TomlReader reader(text, path, problems_);
    require_format(root, reader);
    read_parts(section, root, chain, reader);
    if (section.empty()) {
      read_constants("", root, {"name", "doc", format_key, base_key, parts_key}, reader);
    } else {
      read_constants(section, root, {"name", "doc", format_key, base_key}, reader);
    }
  }

  /// All entries except those with the `other` keys.
  void read_constants(const std::string& section, const toml::table& root,
                      std::initializer_list<std::string_view> other, TomlReader& reader) {
    gpu_prefix_.reset();
    if (is_gpu_file(root) && is_among(joined(section, multiprocessors_key), keys_)) {
      gpu_prefix_ = section.empty() ? "" : section + ".";
    }
    for (const auto& [key, node] : in_file_order(root)) {
      if (std::find(other.begin(), other.end(), key->str()) != other.end()) continue;
      read_entry(joined(section, key->str()), *key, *node, reader);
    }
  }

  static std::string joined(const std::string& section, std::string_view key) {
    return section.empty() ? std::string(key) : fmt::format("{}.{}", section, key);
  }

  bool is_section(const std::string& path) const {
    return std::any_of(keys_.begin(), keys_.end(), [&](const std::string& key) { return key.starts_with(path + "."); });
  }

  void read_entry(const std::string& path, const toml::key& key, const toml::node& node, TomlReader& reader) {
    const toml::table* table = node.as_table();
    if (is_among(path, keys_)) {
      seen_.push_back(path);
      if (table != nullptr) {
        read_constant(path, *table, reader.at(key), reader);
      } else {
        reader.problem(node, fmt::format("'{0}': expected a table with value and source, got {1}: write [{0}], value = "
                                         "..., source = \"...\"",
                                         path, describe(node)));
      }
    } else if (table != nullptr && (has_only_tables(*table) || is_section(path))) {
      // Unknown sections are traversed, too, so that each of their constants is reported.
      for (const auto& [child, child_node] : in_file_order(*table)) {
        read_entry(joined(path, child->str()), *child, *child_node, reader);
      }
    } else if (!is_unused_of_gpu(path) && !is_unused_of_memory(path)) {
      reader.problem(key, fmt::format("system '{}' does not have a hardware constant '{}'{}", schema_.name, path,
                                      suggestion(path, keys_)));
    }
  }

  /// True for a constant of a GPU's file that the system does not use: such a file serves several systems.
  bool is_unused_of_gpu(const std::string& path) const {
    return gpu_prefix_ && path.starts_with(*gpu_prefix_) &&
           is_among(path.substr(gpu_prefix_->size()), systems::devices::gpu_file_keys());
  }

  /// True for a constant of a memory that either PIM on it or system `dram` does not use: such a file serves both.
  bool is_unused_of_memory(const std::string& path) const {
    if (is_among(std::string(memory_rules), keys_)) return path == memory_stack_channels;
    const std::string prefix = fmt::format("{}.", memory_section);
    return is_among(std::string(memory_clock), keys_) && path.starts_with(prefix) &&
           systems::make_system("dram", configs_)
                   ->schema()
                   .axis_index(std::string(hardware_prefix) + path.substr(prefix.size())) >= 0;
  }

  const systems::Axis& axis_of(const std::string& path) const {
    return schema_.axes[static_cast<std::size_t>(schema_.axis_index(std::string(hardware_prefix) + path))];
  }

  void read_constant(const std::string& path, const toml::table& table, const SourcePosition& where,
                     TomlReader& reader) {
    file_.constants.insert_or_assign(path, read_hardware_constant(path, axis_of(path), table, where, reader));
  }

  void report_missing() {
    for (const std::string& key : keys_) {
      const systems::Axis& axis = axis_of(key);
      if (axis.default_value || is_among(key, seen_)) continue;
      problems_.add({file_.path, 0, 0}, fmt::format("the constant [{}] is missing ({}); system '{}' requires it", key,
                                                    axis.doc.empty() ? axis.unit : axis.doc, schema_.name));
    }
  }

  HardwareFile& file_;
  const systems::Schema& schema_;
  const ConfigFolders& configs_;
  /// Keys of the constants that the schema declares, without the prefix.
  std::vector<std::string> keys_;
  std::vector<std::string> seen_;
  /// Section of the file being read, with a dot, if it is that of a GPU and the system has one there.
  std::optional<std::string> gpu_prefix_;
  ProblemList problems_;
};

/// A configuration of SCALE-Sim, completed by the constants of its base.
HardwareFile load_scale_sim(const std::string& text, const std::string& path, const systems::Schema& schema,
                            const ConfigFolders& configs) {
  ScaleSimFile config = parse_scale_sim(text, path, schema);
  HardwareFile file = load_hardware(scale_sim_base, schema, configs);
  file.path = path;
  file.short_name = short_hardware_name(path);
  file.name = config.name.empty() ? file.short_name : config.name;
  file.doc = "SCALE-Sim configuration";
  file.text = fmt::format("{}\n# base: {}\n{}", text, scale_sim_base, file.text);
  for (auto& [key, constant] : config.constants) file.constants.insert_or_assign(key, std::move(constant));
  file.settings = std::move(config.settings);
  file.notes = std::move(config.notes);
  return file;
}

}  // namespace

bool is_hardware_path(const std::string& name_or_path) {
  return name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".toml") ||
         is_scale_sim_file(name_or_path);
}

namespace {

/// The path of a hardware file; empty if no hardware folder has a file of this name.
std::string find_hardware(const std::string& name_or_path, const ConfigFolders& configs) {
  if (is_hardware_path(name_or_path)) return name_or_path;
  for (const ConfigFolder& folder : configs.hardware) {
    std::error_code ignored;
    const std::filesystem::path path = std::filesystem::path(folder.path) / (name_or_path + ".toml");
    if (std::filesystem::exists(path, ignored)) return path.string();
  }
  return {};
}

[[noreturn]] void refuse_unknown(const std::string& name, const std::vector<std::string>& names,
                                 const ConfigFolders& configs) {
  throw InputError(fmt::format("unknown hardware '{}'{}; available: {}; searched in {}", name, suggestion(name, names),
                               names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
                               joined_paths(configs.hardware)));
}

}  // namespace

std::string hardware_path(const std::string& name_or_path, const ConfigFolders& configs) {
  std::string path = find_hardware(name_or_path, configs);
  if (path.empty()) refuse_unknown(name_or_path, hardware_names(configs), configs);
  return path;
}

bool is_hardware_of(const std::string& name_or_path, const systems::Schema& schema, const ConfigFolders& configs,
                    std::string_view section) {
  try {
    load_hardware(name_or_path, schema, configs, section);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

std::vector<std::string> hardware_names_for(const systems::Schema& schema, const ConfigFolders& configs,
                                            std::string_view section) {
  std::vector<std::string> names = hardware_names(configs);
  std::erase_if(names, [&](const std::string& name) { return !is_hardware_of(name, schema, configs, section); });
  return names;
}

std::vector<std::string> hardware_names(const ConfigFolders& configs) {
  std::set<std::string> names;
  for (const ConfigFolder& folder : configs.hardware) {
    for (const std::string& path : toml_files(folder.path, "hardware")) names.insert(short_hardware_name(path));
  }
  return {names.begin(), names.end()};
}

std::string short_hardware_name(const std::string& name_or_path) {
  const std::filesystem::path path(name_or_path);
  return path.extension() == ".toml" || is_scale_sim_file(name_or_path) ? path.stem().string()
                                                                        : path.filename().string();
}

const HardwareConstant* HardwareFile::find(const systems::Axis& axis) const {
  const bool is_constant = is_hardware_constant(axis);
  const auto& values = is_constant ? constants : settings;
  const auto found = values.find(is_constant ? axis.name.substr(hardware_prefix.size()) : axis.name);
  return found == values.end() ? nullptr : &found->second;
}

HardwareFile load_hardware(const std::string& name_or_path, const systems::Schema& schema, const ConfigFolders& configs,
                           std::string_view section) {
  const std::string path = find_hardware(name_or_path, configs);
  if (path.empty()) refuse_unknown(name_or_path, hardware_names_for(schema, configs, section), configs);
  const std::string text = read_file(path);
  if (!section.empty()) {
    HardwareFile file;
    file.short_name = short_hardware_name(path);
    file.path = path;
    file.text = text;
    file.section = section;
    HardwareReader(file, schema, configs).read_as_section();
    return file;
  }
  return is_scale_sim_file(path) ? load_scale_sim(text, path, schema, configs)
                                 : parse_hardware(text, path, schema, configs);
}

HardwareFile parse_hardware(const std::string& text, const std::string& path, const systems::Schema& schema,
                            const ConfigFolders& configs) {
  HardwareFile file;
  file.path = path;
  file.short_name = short_hardware_name(path);
  file.text = text;
  HardwareReader(file, schema, configs).read();
  return file;
}

std::shared_ptr<const HardwareFile> HardwareLibrary::load(const std::string& name_or_path,
                                                          const systems::Schema& schema, std::string_view section) {
  const auto key = std::make_tuple(schema.name, std::string(section), name_or_path);
  if (const auto known = files_.find(key); known != files_.end()) return known->second;
  auto file = std::make_shared<const HardwareFile>(load_hardware(name_or_path, schema, configs_, section));
  return files_.emplace(key, std::move(file)).first->second;
}

}  // namespace pimsweep::sweep
