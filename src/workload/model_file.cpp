#include "workload/model_file.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/file_format.h"
#include "base/toml.h"
#include "workload/layers/block.h"
#include "workload/layers/layer_type.h"

namespace pimsweep::workload {

namespace {

class ModelFile {
 public:
  ModelFile(const std::string& text, const std::string& path, ProblemList& problems)
      : path_(path), reader_(text, path, problems), problems_(problems) {}

  std::vector<ModelEntry> read(const toml::table& file) {
    // Other apparent problems may be correct in a file of another format.
    if (!has_known_format(file, "model file", model_format, reader_)) return {};
    std::vector<const toml::table*> models;
    reader_.entries(file, "a model file",
                    {{format_key, [](const auto&, const auto&) {}},
                     {"family", [&](const auto& key, const auto& node) { family_ = reader_.nonempty_text(key, node); }},
                     {"block", [&](const auto& key, const auto& node) { read_blocks(key, node); }},
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
    report_unused_blocks(entries);
    return entries;
  }

 private:
  void read_blocks(const toml::key& key, const toml::node& node) {
    const toml::table* blocks = reader_.table(key, node, "tables of layers [block.NAME]");
    if (blocks == nullptr) return;
    for (const auto& [name, block] : in_file_order(*blocks)) {
      const toml::table* table = reader_.table(*name, *block, "a table of layers [block.NAME]");
      if (table == nullptr) continue;
      if (!layers::is_name(name->str()) || layers::find_type(name->str()) != nullptr) {
        reader_.problem(*name,
                        fmt::format("'{}' is not a valid name of a block: expected letters, digits, '_', '-' and '.', "
                                    "a letter first, and no word for a layer",
                                    name->str()));
      } else {
        blocks_[std::string(name->str())] = reader_.at(*name);
      }
      read_block(std::string(name->str()), *name, *table);
    }
  }

  void read_block(const std::string& name, const toml::key& key, const toml::table& table) {
    const auto keep = [&](const toml::key& inner, const toml::node& node) {
      common_[fmt::format("{}{}.{}", layers::block_prefix, name, inner.str())] = parameter(inner, node);
    };
    reader_.entries(table, "a block", {{"inputs", keep}, {"parameters", keep}, {"layers", keep}});
    if (!table.contains("layers")) reader_.problem(key, fmt::format("block '{}' needs its 'layers'", name));
  }

  /// Reports blocks that no model uses, directly or indirectly.
  void report_unused_blocks(const std::vector<ModelEntry>& entries) {
    std::vector<const Parameter*> waiting;
    for (const ModelEntry& entry : entries) {
      const auto layers = entry.parameters.find("layers");
      if (layers != entry.parameters.end()) waiting.push_back(&layers->second);
    }
    while (!waiting.empty()) {
      const Parameter& texts = *waiting.back();
      waiting.pop_back();
      for (const PlacedText& text : texts.places) {
        for (const layers::Word& word : layers::split(text).words) {
          if (blocks_.erase(word.text) == 0) continue;
          const auto layers = common_.find(fmt::format("{}{}.layers", layers::block_prefix, word.text));
          if (layers != common_.end()) waiting.push_back(&layers->second);
        }
      }
    }
    for (const auto& [name, where] : blocks_) {
      problems_.add(where, fmt::format("no model of the file uses block '{}'", name));
    }
  }

  void read_common(const toml::key& key, const toml::node& node) {
    const toml::table* table = reader_.table(key, node, "a table of parameters [common]");
    if (table != nullptr) common_.merge(parameters(*table));
  }

  /// nullopt if the name or the family is missing, which is reported.
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
      if (key->str() == "input" && node->is_table()) {
        for (const auto& [inner, value] : in_file_order(*node->as_table())) {
          result[fmt::format("input.{}", inner->str())] = parameter(*inner, *value);
        }
      } else {
        result[std::string(key->str())] = parameter(*key, *node);
      }
    }
    return result;
  }

  Parameter parameter(const toml::key& key, const toml::node& node) {
    Parameter result;
    result.where = reader_.at(key);
    if (read_value(node, result)) return result;
    reader_.problem(node, fmt::format("'{}' must be a number, true or false, a text, or a list of these", key.str()));
    return {false, {}, {}, result.where};
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
  /// Parameters of [common] and of the blocks.
  std::map<std::string, Parameter> common_;
  /// Positions of the blocks that no model is known to use.
  std::map<std::string, SourcePosition> blocks_;
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
