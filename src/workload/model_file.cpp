#include "workload/model_file.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/toml.h"

namespace pimsweep::workload {

namespace {

class ModelFile {
 public:
  ModelFile(const std::string& text, const std::string& path, ProblemList& problems)
      : path_(path), reader_(text, path, problems), problems_(problems) {}

  std::vector<ModelEntry> read(const toml::table& file) {
    std::vector<const toml::table*> models;
    reader_.entries(file, "a model file",
                    {{"family", [&](const auto& key, const auto& node) { family_ = reader_.nonempty_text(key, node); }},
                     {"common", [&](const auto& key, const auto& node) { read_common(key, node); }},
                     {"model", [&](const auto& key, const auto& node) {
                        models = reader_.tables(key, node, "[[model]] tables");
                      }}});
    if (!file.contains("family")) problems_.add({path_, 1, 1}, "'family' is needed here: the family of the models");
    if (!file.contains("model")) problems_.add({path_, 1, 1}, "the file needs its models as [[model]] tables");
    std::vector<ModelEntry> entries;
    for (const toml::table* model : models) {
      if (std::optional<ModelEntry> entry = read_model(*model)) entries.push_back(std::move(*entry));
    }
    return entries;
  }

 private:
  void read_common(const toml::key& key, const toml::node& node) {
    const toml::table* table = reader_.table(key, node, "a table of parameters [common]");
    if (table != nullptr) common_ = parameters(*table);
  }

  /// Nothing where the name or the family is missing, which is reported.
  std::optional<ModelEntry> read_model(const toml::table& table) {
    ModelEntry entry;
    entry.where = reader_.at(table);
    entry.parameters = common_;
    for (auto& [key, value] : parameters(table)) entry.parameters[key] = std::move(value);
    entry.parameters.erase("name");
    const auto name = table.find("name");
    if (name == table.end()) problems_.add(entry.where, "'name' is needed here: the name of the model");
    const auto text = name == table.end() ? std::nullopt : reader_.nonempty_text(name->first, name->second);
    if (!text || !family_) return std::nullopt;
    entry.name = text->text;
    entry.family = family_->text;
    entry.family_where = family_->where;
    return entry;
  }

  std::map<std::string, Parameter> parameters(const toml::table& table) {
    std::map<std::string, Parameter> result;
    for (const auto& [key, node] : in_file_order(table)) {
      Parameter& parameter = result[std::string(key->str())];
      parameter.where = reader_.at(*key);
      if (read_value(*node, parameter)) continue;
      parameter.values.clear();
      parameter.is_list = false;
      reader_.problem(*node,
                      fmt::format("'{}' must be a number, true or false, a text, or a list of these", key->str()));
    }
    return result;
  }

  /// Reads a scalar or a list of scalars; false for anything else.
  bool read_value(const toml::node& node, Parameter& parameter) {
    const toml::array* list = node.as_array();
    if (list == nullptr) return append_scalar(node, parameter);
    parameter.is_list = true;
    bool all = true;
    for (const toml::node& item : *list) all = all && append_scalar(item, parameter);
    return all;
  }

  bool append_scalar(const toml::node& node, Parameter& parameter) {
    std::optional<Value> value = scalar_of(node);
    if (!value) return false;
    parameter.values.push_back(std::move(*value));
    parameter.places.push_back(reader_.placed_string(node).value_or(PlacedText{{}, reader_.at(node), {}}));
    return true;
  }

  const std::string& path_;
  TomlReader reader_;
  ProblemList& problems_;
  std::optional<PlacedText> family_;
  std::map<std::string, Parameter> common_;
};

}  // namespace

std::vector<ModelEntry> parse_model_file(const std::string& text, const std::string& path, ProblemList& problems) {
  try {
    return ModelFile(text, path, problems).read(parse_toml(text, path));
  } catch (const InputError& error) {
    problems.add(error);
    return {};
  }
}

}  // namespace pimsweep::workload
