#include "workload/import/hugging_face.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/words.h"
#include "workload/families/architecture.h"
#include "workload/import/hugging_face_decoders.h"
#include "workload/import/hugging_face_types.h"

namespace pimsweep::workload::import {

namespace {

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
    ModelType{"bert", "bert", bert_keys, bert_architectures, {}, {}, "hidden_size", {}},
    ModelType{"vit", "vit", vit_keys, vit_architectures, "classes", {}, "hidden_size", {}},
    ModelType{"swin", "swin", swin_keys, swin_architectures, "classes", "depths", "embed_dim", {}},
    ModelType{"gpt2", "decoder", gpt2_keys, gpt2_architectures, {}, {}, "n_embd", absolute_constants},
    ModelType{"opt", "decoder", opt_keys, opt_architectures, {}, {}, "hidden_size", absolute_constants},
    ModelType{"llama", "decoder", llama_keys, llama_architectures, {}, {}, "hidden_size", rotary_constants},
    ModelType{"mistral", "decoder", mistral_keys, mistral_architectures, {}, {}, "hidden_size", rotary_constants},
    ModelType{"qwen2", "decoder", qwen2_keys, qwen2_architectures, {}, {}, "hidden_size", qwen2_constants},
    ModelType{"qwen3", "decoder", qwen3_keys, qwen3_architectures, {}, {}, "hidden_size", qwen3_constants},
    ModelType{"qwen3_moe", "decoder", qwen3_moe_keys, qwen3_moe_architectures, {}, {}, "hidden_size", qwen3_constants},
    ModelType{"mixtral", "decoder", mixtral_keys, mixtral_architectures, {}, {}, "hidden_size", rotary_constants},
    ModelType{"gemma", "decoder", gemma_keys, gemma_architectures, {}, {}, "hidden_size", rotary_constants},
    ModelType{
        "deepseek_v3", "decoder", deepseek_v3_keys, deepseek_v3_architectures, {}, {}, "hidden_size", rotary_constants},
};

/// Names that the transformers library has for the functions of the family decoder; those of GELU differ in its
/// approximation.
constexpr Words<std::string_view, 7> activation_names{{{"gelu", "gelu"},
                                                       {"gelu_new", "gelu"},
                                                       {"gelu_fast", "gelu"},
                                                       {"gelu_pytorch_tanh", "gelu"},
                                                       {"relu", "relu"},
                                                       {"silu", "silu"},
                                                       {"swish", "silu"}}};

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

bool makes_list(Form form) {
  return form == Form::one_stage || form == Form::each_stage || form == Form::doubling || form == Form::per_width;
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
      } else if (rule.form == Form::equal) {
        check_equal(rule, value);
      } else if (rule.form != Form::if_any || value.kind != JsonNode::Kind::null) {
        entry.parameters[std::string(rule.parameter)] = parameter_of(rule, value);
      }
    }
    for (const Constant& constant : type_->constants) {
      entry.parameters[std::string(constant.parameter)] = parameter_of({}, placed(constant.value));
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
    const JsonNode* given = root_.find(rule.key);
    return given == nullptr ? placed(rule.fallback) : *given;
  }

  /// A value at the place of the whole configuration.
  JsonNode placed(std::string_view json) const {
    JsonNode value = parse_json(json, "default");
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
    if (is_nothing(value) && is_nothing(only)) return;
    if (value.kind == JsonNode::Kind::scalar && value.scalar == only.scalar) return;
    problems_.add(at(value), fmt::format("'{}' is {}, but the family '{}' has {} only", rule.key, describe(value),
                                         type_->family, to_text(only.scalar)));
  }

  static bool is_nothing(const JsonNode& node) {
    return node.kind == JsonNode::Kind::null || (node.kind == JsonNode::Kind::list && node.items.empty());
  }

  void check_equal(const KeyRule& rule, const JsonNode& value) {
    const JsonNode other = value_of(rule_of(rule.parameter));
    if (value.kind == JsonNode::Kind::null) return;
    if (value.kind == JsonNode::Kind::scalar && value.scalar == other.scalar) return;
    problems_.add(at(value), fmt::format("'{}' is {}, but '{}' is {}: the family '{}' has one size for both", rule.key,
                                         describe(value), rule.parameter, describe(other), type_->family));
  }

  Parameter parameter_of(const KeyRule& rule, const JsonNode& given) {
    const JsonNode value = resolved(rule, given);
    Parameter parameter;
    parameter.where = at(value);
    const bool may_be_list = rule.form == Form::same;
    if (value.kind != JsonNode::Kind::scalar && !(may_be_list && is_list_of_scalars(value))) {
      problems_.add(at(value), fmt::format("'{}' is {}, but a number{} is needed", rule.key, describe(value),
                                           may_be_list ? " or a list of numbers" : ""));
      return parameter;
    }
    parameter.is_list = value.kind == JsonNode::Kind::list || makes_list(rule.form);
    if (value.kind == JsonNode::Kind::list) {
      parameter.values.reserve(value.items.size());
      for (const JsonNode& item : value.items) parameter.values.push_back(item.scalar);
    } else {
      parameter.values = values_of(rule, value);
    }
    parameter.places.assign(parameter.values.size(), PlacedText{{}, parameter.where, {}});
    return parameter;
  }

  /// What a value stands for: the family's word for a function, a number worked out of the one that is given.
  JsonNode resolved(const KeyRule& rule, const JsonNode& given) const {
    JsonNode value = given;
    const std::string* word = text_of(&given);
    const auto* integer = std::get_if<std::int64_t>(&given.scalar);
    if (rule.form == Form::four_widths && given.kind == JsonNode::Kind::null) {
      const JsonNode width = value_of(rule_of(type_->width));
      value.kind = width.kind;
      value.scalar = worked_out(width.scalar, 4, 0);
    } else if (rule.form == Form::two_more) {
      value.scalar = worked_out(given.scalar, 1, 2);
    } else if (rule.form == Form::tokens && integer != nullptr) {
      value.scalar = std::min(*integer, families::max_image_px);
    } else if (rule.form == Form::activation && word != nullptr) {
      value.scalar = std::string(pimsweep::value_of(activation_names, *word).value_or(*word));
    }
    return value;
  }

  /// Numbers that are no sizes remain as they are.
  static Value worked_out(const Value& value, std::int64_t factor, std::int64_t more) {
    constexpr std::int64_t max_size = std::int64_t{1} << 40;
    const auto* integer = std::get_if<std::int64_t>(&value);
    return integer == nullptr || std::abs(*integer) > max_size ? value : *integer * factor + more;
  }

  static bool is_list_of_scalars(const JsonNode& node) {
    return node.kind == JsonNode::Kind::list && !node.items.empty() && node.items.size() <= max_listed_stages &&
           std::all_of(node.items.begin(), node.items.end(),
                       [](const JsonNode& item) { return item.kind == JsonNode::Kind::scalar; });
  }

  std::vector<Value> values_of(const KeyRule& rule, const JsonNode& value) const {
    if (!makes_list(rule.form) || rule.form == Form::one_stage) return {value.scalar};
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
