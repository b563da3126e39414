#include "workload/model_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace pimsweep::workload {

namespace {

SourcePosition position(const std::string& path, const toml::source_region& source) {
  return {path, source.begin.line, source.begin.column};
}

/// Appends the value of a scalar; false for anything else.
bool append_scalar(const toml::node& node, const std::string& path, Parameter& parameter) {
  std::vector<Value>& values = parameter.values;
  if (const auto* integer = node.as_integer()) {
    values.emplace_back(integer->get());
  } else if (const auto* real = node.as_floating_point()) {
    values.emplace_back(real->get());
  } else if (const auto* boolean = node.as_boolean()) {
    values.emplace_back(boolean->get());
  } else if (const auto* text = node.as_string()) {
    values.emplace_back(text->get());
  } else {
    return false;
  }
  const toml::source_region& source = node.source();
  const bool one_line = source.begin.line == source.end.line;
  parameter.places.push_back({position(path, source), one_line ? source.end.column - source.begin.column : 0});
  return true;
}

/// Reads a scalar or a list of scalars; false, and no values, for anything else.
bool read_value(const toml::node& node, const std::string& path, Parameter& parameter) {
  if (const toml::array* list = node.as_array()) {
    parameter.is_list = true;
    for (const toml::node& item : *list) {
      if (append_scalar(item, path, parameter)) continue;
      parameter = Parameter{};
      return false;
    }
    return true;
  }
  return append_scalar(node, path, parameter);
}

class ModelFile {
 public:
  ModelFile(const std::string& path, ProblemList& problems) : path_(path), problems_(problems) {}

  std::vector<ModelEntry> read(const toml::table& file) {
    check_keys(file);
    const std::optional<std::string> family = text(file, "family", {path_, 1, 1}, "the family of its models");
    std::map<std::string, Parameter> common;
    if (const toml::node* node = file.get("common")) {
      if (const toml::table* table = node->as_table()) {
        common = parameters(*table);
      } else {
        problems_.add(position(path_, node->source()), "'common' must be a table of parameters: [common]");
      }
    }
    std::vector<ModelEntry> entries;
    const toml::node* models = file.get("model");
    const toml::array* list = models == nullptr ? nullptr : models->as_array();
    if (list == nullptr || !list->is_array_of_tables()) {
      problems_.add(models == nullptr ? SourcePosition{path_, 1, 1} : position(path_, models->source()),
                    "the file needs its models as [[model]] tables");
      return entries;
    }
    for (const toml::node& node : *list) {
      const toml::table& table = *node.as_table();
      ModelEntry entry;
      entry.where = position(path_, node.source());
      const std::optional<std::string> name = text(table, "name", entry.where, "its name");
      entry.parameters = common;
      for (auto& [key, value] : parameters(table)) entry.parameters[key] = std::move(value);
      entry.parameters.erase("name");
      if (!name || !family) continue;
      entry.name = *name;
      entry.family = *family;
      entry.family_where = position(path_, file.get("family")->source());
      entries.push_back(std::move(entry));
    }
    return entries;
  }

 private:
  void check_keys(const toml::table& file) {
    static const std::vector<std::string> known{"family", "common", "model"};
    for (const auto& [key, node] : file) {
      const std::string name(key.str());
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      problems_.add(position(path_, key.source()), fmt::format("unknown key '{}'{}; a model file has: {}", name,
                                                               suggestion(name, known), fmt::join(known, ", ")));
    }
  }

  std::optional<std::string> text(const toml::table& table, const char* key, const SourcePosition& where,
                                  std::string_view meaning) {
    const toml::node* node = table.get(key);
    if (node != nullptr && node->is_string() && !node->as_string()->get().empty()) return node->as_string()->get();
    problems_.add(node == nullptr ? where : position(path_, node->source()),
                  fmt::format("'{}' is needed here, a text: {}", key, meaning));
    return std::nullopt;
  }

  std::map<std::string, Parameter> parameters(const toml::table& table) {
    std::map<std::string, Parameter> result;
    for (const auto& [key, node] : table) {
      Parameter value;
      if (!read_value(node, path_, value)) {
        problems_.add(position(path_, node.source()),
                      fmt::format("'{}' must be a number, true or false, a text, or a list of these", key.str()));
      }
      value.where = position(path_, key.source());
      result.emplace(key.str(), std::move(value));
    }
    return result;
  }

  const std::string& path_;
  ProblemList& problems_;
};

}  // namespace

std::vector<ModelEntry> read_model_file(const std::string& path, ProblemList& problems) {
  try {
    return ModelFile(path, problems).read(toml::parse_file(path));
  } catch (const toml::parse_error& error) {
    problems.add({path, error.source().begin.line, error.source().begin.column}, std::string(error.description()));
    return {};
  }
}

}  // namespace pimsweep::workload
