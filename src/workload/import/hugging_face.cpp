#include "workload/import/hugging_face.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace pimsweep::workload::import {

namespace {

/// How the value of a key becomes a parameter of a family.
enum class Form : std::uint8_t {
  same,        ///< as it is
  one_stage,   ///< a list of this one value
  each_stage,  ///< a list of this value for each stage
  doubling,    ///< a list of this value, twice as much in each further stage
  per_width,   ///< a list of one ratio: this value to that of the key of the width
  fixed,       ///< no parameter: the family has nothing but the default
};

/// A key of a configuration.
struct KeyRule {
  std::string_view key;
  std::string_view parameter;
  /// What the transformers library takes where a file lacks the key, as JSON.
  std::string_view fallback;
  Form form = Form::same;
};

/// A kind of configuration and the family of models that has its networks.
struct ModelType {
  /// The value of `model_type`.
  std::string_view name;
  std::string_view family;
  std::span<const KeyRule> keys;
  /// What `architectures` may say.
  std::span<const std::string_view> architectures;
  /// The parameter that the number of labels becomes; empty where the family has no classifier.
  std::string_view labels;
  /// The keys whose value has an entry for each stage, and that is the width.
  std::string_view stages;
  std::string_view width;
};

// Defaults: transformers 4.x, src/transformers/models/{bert,vit,swin}/configuration_*.py, and configuration_utils.py
// for the number of labels.
constexpr std::array bert_keys{
    KeyRule{"vocab_size", "vocabulary", "30522"},
    KeyRule{"max_position_embeddings", "positions", "512"},
    KeyRule{"max_position_embeddings", "tokens", "512"},
    KeyRule{"type_vocab_size", "token_types", "2"},
    KeyRule{"hidden_size", "channels", "768"},
    KeyRule{"num_hidden_layers", "blocks", "12"},
    KeyRule{"num_attention_heads", "heads", "12"},
    KeyRule{"intermediate_size", "hidden", "3072"},
    KeyRule{"hidden_act", "", R"("gelu")", Form::fixed},
    KeyRule{"position_embedding_type", "", R"("absolute")", Form::fixed},
    KeyRule{"is_decoder", "", "false", Form::fixed},
    KeyRule{"add_cross_attention", "", "false", Form::fixed},
};

constexpr std::array vit_keys{
    KeyRule{"image_size", "image_px", "224"},
    KeyRule{"patch_size", "patch", "16"},
    KeyRule{"num_channels", "image_channels", "3"},
    KeyRule{"hidden_size", "channels", "768", Form::one_stage},
    KeyRule{"num_hidden_layers", "blocks", "12", Form::one_stage},
    KeyRule{"num_attention_heads", "heads", "12", Form::one_stage},
    KeyRule{"intermediate_size", "mlp_ratio", "3072", Form::per_width},
    KeyRule{"hidden_act", "", R"("gelu")", Form::fixed},
    KeyRule{"qkv_bias", "", "true", Form::fixed},
};

constexpr std::array swin_keys{
    KeyRule{"image_size", "image_px", "224"},
    KeyRule{"patch_size", "patch", "4"},
    KeyRule{"num_channels", "image_channels", "3"},
    KeyRule{"embed_dim", "channels", "96", Form::doubling},
    KeyRule{"depths", "blocks", "[2, 2, 6, 2]"},
    KeyRule{"num_heads", "heads", "[3, 6, 12, 24]"},
    KeyRule{"window_size", "window", "7"},
    KeyRule{"mlp_ratio", "mlp_ratio", "4.0", Form::each_stage},
    KeyRule{"hidden_act", "", R"("gelu")", Form::fixed},
    KeyRule{"qkv_bias", "", "true", Form::fixed},
    KeyRule{"use_absolute_embeddings", "", "false", Form::fixed},
};

// The encoder of BERT is the same under all heads, which the family leaves out; that of ViT and Swin is not known
// without the classifier.
constexpr std::array<std::string_view, 8> bert_architectures{
    "BertModel",
    "BertForPreTraining",
    "BertForMaskedLM",
    "BertForNextSentencePrediction",
    "BertForSequenceClassification",
    "BertForMultipleChoice",
    "BertForTokenClassification",
    "BertForQuestionAnswering",
};
constexpr std::array<std::string_view, 1> vit_architectures{"ViTForImageClassification"};
constexpr std::array<std::string_view, 1> swin_architectures{"SwinForImageClassification"};

/// All kinds of configurations; a new one adds a line here.
constexpr std::array model_types{
    ModelType{"bert", "bert", bert_keys, bert_architectures, {}, {}, "hidden_size"},
    ModelType{"vit", "vit", vit_keys, vit_architectures, "classes", {}, "hidden_size"},
    ModelType{"swin", "swin", swin_keys, swin_architectures, "classes", "depths", "embed_dim"},
};

/// Keys of every configuration that are read, whatever its type, or that follow from those.
constexpr std::array<std::string_view, 6> common_keys{"model_type", "architectures", "num_labels",
                                                      "id2label",   "label2id",      "num_layers"};

const std::string* text_of(const JsonNode* node) {
  return node == nullptr ? nullptr : std::get_if<std::string>(&node->scalar);
}

std::optional<double> number_of(const JsonNode& node) {
  if (node.kind != JsonNode::Kind::scalar) return std::nullopt;
  if (const auto* integer = std::get_if<std::int64_t>(&node.scalar)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&node.scalar)) return *real;
  return std::nullopt;
}

/// What a list of parameters for each stage is made of.
constexpr std::size_t max_listed_stages = 64;

class ConfigurationReader {
 public:
  ConfigurationReader(const JsonNode& root, const std::string& file, ProblemList& problems)
      : root_(root), file_(file), problems_(problems) {}

  ModelEntry read() {
    ModelEntry entry;
    entry.name = file_;
    entry.where = at(root_);
    if (root_.kind != JsonNode::Kind::object) {
      problems_.add(at(root_), fmt::format("a configuration is an object {{...}}, read {}", describe(root_)));
      return entry;
    }
    type_ = find_type();
    if (type_ == nullptr) return entry;
    entry.family = type_->family;
    entry.family_where = entry.where;
    check_architectures();
    check_spelling();
    for (const KeyRule& rule : type_->keys) {
      const JsonNode value = value_of(rule);
      if (rule.form == Form::fixed) {
        check_fixed(rule, value);
      } else {
        entry.parameters[std::string(rule.parameter)] = parameter_of(rule, value);
      }
    }
    if (!type_->labels.empty()) entry.parameters[std::string(type_->labels)] = labels();
    return entry;
  }

 private:
  SourcePosition at(const JsonNode& node) const { return {file_, node.line, node.column}; }

  /// The type that the file names; null, and a problem, if it is not known.
  const ModelType* find_type() {
    std::vector<std::string> names;
    names.reserve(model_types.size());
    for (const ModelType& type : model_types) names.emplace_back(type.name);
    const JsonNode* named = root_.find("model_type");
    if (named == nullptr) {
      problems_.add(at(root_),
                    fmt::format("the configuration lacks 'model_type'; known are: {}", fmt::join(names, ", ")));
      return nullptr;
    }
    const std::string* name = text_of(named);
    const auto* found = std::find_if(model_types.begin(), model_types.end(),
                                     [&](const ModelType& type) { return name != nullptr && type.name == *name; });
    if (found != model_types.end()) return found;
    problems_.add(at(*named), fmt::format("'model_type' is {}, which is not known{}; known are: {}", describe(*named),
                                          name == nullptr ? "" : suggestion(*name, names), fmt::join(names, ", ")));
    return nullptr;
  }

  void check_architectures() {
    const JsonNode* named = root_.find("architectures");
    if (named == nullptr || named->kind == JsonNode::Kind::null) return;
    const std::vector<std::string> known(type_->architectures.begin(), type_->architectures.end());
    const auto wrong = [&](const JsonNode& node) {
      problems_.add(at(node), fmt::format("'architectures' has {}, but a list of these is needed: {}", describe(node),
                                          fmt::join(known, ", ")));
    };
    if (named->kind != JsonNode::Kind::list) return wrong(*named);
    for (const JsonNode& item : named->items) {
      const std::string* name = text_of(&item);
      if (name == nullptr || std::find(known.begin(), known.end(), *name) == known.end()) wrong(item);
    }
  }

  /// Keys that are not read are no mistake, but one that is nearly that of a missing key is.
  void check_spelling() {
    std::vector<std::string> known(common_keys.begin(), common_keys.end());
    known.reserve(known.size() + type_->keys.size());
    for (const KeyRule& rule : type_->keys) known.emplace_back(rule.key);
    for (const JsonNode::Key& key : root_.keys) {
      constexpr std::size_t max_difference = 2;
      if (std::find(known.begin(), known.end(), key.name) != known.end()) continue;
      const std::string near = nearest_name(key.name, known);
      const auto [shorter, longer] = std::minmax({near.size(), key.name.size()});
      if (near.empty() || longer - shorter > max_difference || root_.find(near) != nullptr) continue;
      problems_.add({file_, key.line, key.column},
                    fmt::format("unknown key '{}' (did you mean '{}'?), and '{}' is missing", key.name, near, near));
    }
  }

  /// The value in the file, or the default at the place of the whole configuration.
  JsonNode value_of(const KeyRule& rule) const {
    if (const JsonNode* given = root_.find(rule.key)) return *given;
    JsonNode value = parse_json(rule.fallback, "default");
    const auto place = [&](JsonNode& node) {
      node.line = root_.line;
      node.column = root_.column;
    };
    place(value);
    std::for_each(value.items.begin(), value.items.end(), place);
    return value;
  }

  void check_fixed(const KeyRule& rule, const JsonNode& value) {
    const JsonNode only = parse_json(rule.fallback, "default");
    if (value.kind == JsonNode::Kind::scalar && value.scalar == only.scalar) return;
    problems_.add(at(value), fmt::format("'{}' is {}, but the family '{}' has {} only", rule.key, describe(value),
                                         type_->family, to_text(only.scalar)));
  }

  Parameter parameter_of(const KeyRule& rule, const JsonNode& value) {
    Parameter parameter;
    parameter.where = at(value);
    const bool may_be_list = rule.form == Form::same;
    if (value.kind != JsonNode::Kind::scalar && !(may_be_list && is_list_of_scalars(value))) {
      problems_.add(at(value), fmt::format("'{}' is {}, but a number{} is needed", rule.key, describe(value),
                                           may_be_list ? " or a list of numbers" : ""));
      return parameter;
    }
    parameter.is_list = value.kind == JsonNode::Kind::list || rule.form != Form::same;
    if (value.kind == JsonNode::Kind::list) {
      parameter.values.reserve(value.items.size());
      for (const JsonNode& item : value.items) parameter.values.push_back(item.scalar);
    } else {
      parameter.values = values_of(rule, value);
    }
    parameter.places.assign(parameter.values.size(), PlacedText{{}, parameter.where, {}});
    return parameter;
  }

  static bool is_list_of_scalars(const JsonNode& node) {
    return node.kind == JsonNode::Kind::list && !node.items.empty() && node.items.size() <= max_listed_stages &&
           std::all_of(node.items.begin(), node.items.end(),
                       [](const JsonNode& item) { return item.kind == JsonNode::Kind::scalar; });
  }

  std::vector<Value> values_of(const KeyRule& rule, const JsonNode& value) const {
    if (rule.form == Form::same || rule.form == Form::one_stage) return {value.scalar};
    if (rule.form == Form::per_width) return {ratio_to_width(value)};
    std::vector<Value> values;
    Value next = value.scalar;
    for (std::size_t stage = 0; stage < stages(); ++stage) {
      values.push_back(next);
      auto* integer = std::get_if<std::int64_t>(&next);
      constexpr std::int64_t max_half = std::numeric_limits<std::int64_t>::max() / 2;
      if (rule.form == Form::doubling && integer != nullptr && *integer <= max_half && *integer > 0) *integer *= 2;
    }
    return values;
  }

  const KeyRule& rule_of(std::string_view key) const { return *std::ranges::find(type_->keys, key, &KeyRule::key); }

  /// The length of the list that has an entry for each stage; 1 where there is no such list.
  std::size_t stages() const {
    const JsonNode list = value_of(rule_of(type_->stages));
    return is_list_of_scalars(list) ? list.items.size() : 1;
  }

  /// The ratio whose product with the width is the value itself, not a number beside it.
  Value ratio_to_width(const JsonNode& value) const {
    const std::optional<double> width = number_of(value_of(rule_of(type_->width)));
    const std::optional<double> number = number_of(value);
    if (!number || !width || *width <= 0) return value.scalar;
    const double ratio = *number / *width;
    for (const double candidate : {std::nextafter(ratio, 0.0), std::nextafter(ratio, 2 * ratio)}) {
      if (ratio * *width != *number && candidate * *width == *number) return candidate;
    }
    return ratio;
  }

  /// As the transformers library counts them: the entries of `id2label`, else `num_labels`, else 2.
  Parameter labels() {
    constexpr std::int64_t default_labels = 2;
    const auto given = [&](std::string_view key) {
      const JsonNode* node = root_.find(key);
      return node == nullptr || node->kind == JsonNode::Kind::null ? nullptr : node;
    };
    const JsonNode* names = given("id2label");
    const JsonNode* number = given("num_labels");
    Parameter parameter;
    parameter.where = at(names != nullptr ? *names : number != nullptr ? *number : root_);
    if (names != nullptr && names->kind != JsonNode::Kind::object) {
      problems_.add(at(*names), fmt::format("'id2label' is {}, but an object with a name for each label is needed",
                                            describe(*names)));
      return parameter;
    }
    if (names == nullptr) {
      if (number != nullptr && number->kind != JsonNode::Kind::scalar) {
        problems_.add(at(*number), fmt::format("'num_labels' is {}, but a number is needed", describe(*number)));
        return parameter;
      }
      parameter.values.push_back(number == nullptr ? Value(default_labels) : number->scalar);
    } else {
      const auto count = static_cast<std::int64_t>(names->items.size());
      parameter.values.emplace_back(count);
      if (number != nullptr && number->scalar != Value(count)) {
        problems_.add(at(*number),
                      fmt::format("'num_labels' is {}, but 'id2label' names {} labels", describe(*number), count));
      }
    }
    parameter.places.assign(1, PlacedText{{}, parameter.where, {}});
    return parameter;
  }

  const JsonNode& root_;
  const std::string& file_;
  ProblemList& problems_;
  const ModelType* type_ = nullptr;
};

/// The key at whose value a problem was found; empty if there is none.
std::string_view key_at(const JsonNode& root, const SourcePosition& where) {
  for (std::size_t i = 0; i < root.items.size(); ++i) {
    if (root.items[i].line == where.line && root.items[i].column == where.column) return root.keys[i].name;
  }
  return {};
}

}  // namespace

ModelEntry read_configuration(const JsonNode& root, const std::string& file, ProblemList& problems) {
  return ConfigurationReader(root, file, problems).read();
}

void add_with_keys(const ProblemList& found, const JsonNode& root, ProblemList& problems) {
  for (const Problem& problem : found.problems()) {
    const std::string_view key = key_at(root, problem.where);
    problems.add(problem.where, key.empty() ? problem.message : fmt::format("{}: {}", key, problem.message));
  }
}

}  // namespace pimsweep::workload::import
