#include "workload/import/hugging_face.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/words.h"
#include "workload/families/architecture.h"
#include "workload/import/hugging_face_types.h"
#include "workload/import/hugging_face_vision.h"
#include "workload/import/quantization.h"
#include "workload/import/split.h"

namespace pimsweep::workload::import {

namespace {

/// Names in the transformers library of the activation functions of the family decoder; variants of GELU differ only in
/// how they approximate it.
constexpr Words<std::string_view, 7> activation_names{{{"gelu", "gelu"},
                                                       {"gelu_new", "gelu"},
                                                       {"gelu_fast", "gelu"},
                                                       {"gelu_pytorch_tanh", "gelu"},
                                                       {"relu", "relu"},
                                                       {"silu", "silu"},
                                                       {"swish", "silu"}}};

/// Keys that are read from configurations of every type, or that follow from such keys.
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

/// Maximum length of a list with an entry per stage.
constexpr std::size_t max_listed_stages = 64;

/// Keys of the object that describes the language part of a multimodal model.
constexpr std::array<std::string_view, 3> language_parts{"text_config", "language_config", "llm_config"};

const JsonNode* language_part(const JsonNode& root) {
  for (const std::string_view key : language_parts) {
    const JsonNode* part = root.find(key);
    if (part != nullptr && part->kind == JsonNode::Kind::object) return part;
  }
  return nullptr;
}

/// Value of a key "a.b", meaning key b of object a.
const JsonNode* find_path(const JsonNode& root, std::string_view path) {
  const std::size_t dot = path.find('.');
  const JsonNode* node = root.find(path.substr(0, dot));
  if (node == nullptr || dot == std::string_view::npos) return node;
  return node->kind == JsonNode::Kind::object ? find_path(*node, path.substr(dot + 1)) : nullptr;
}

/// Alternative names of a key "a|b".
std::vector<std::string_view> names_of_key(std::string_view key) { return split(key, "|"); }

bool has_word(std::string_view words, std::string_view word) {
  const std::vector<std::string_view> all = split(words, " ");
  return std::ranges::find(all, word) != all.end();
}

/// Name without case and punctuation, so that spellings of one type compare equal.
std::string plain(std::string_view name) {
  std::string result;
  for (const char letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
  }
  return result;
}

class ConfigurationReader final : public Completion {
 public:
  ConfigurationReader(const JsonNode& root, const std::string& file, ProblemList& problems)
      : outer_(root),
        root_(language_part(root) == nullptr ? root : *language_part(root)),
        file_(file),
        problems_(problems) {}

  Configuration read() {
    ModelEntry& entry = configuration_.entry;
    entry.name = file_;
    entry.where = at(outer_);
    if (outer_.kind != JsonNode::Kind::object) {
      problems_.add(at(outer_), fmt::format("expected a configuration, an object {{...}}, got {}", describe(outer_)));
      return std::move(configuration_);
    }
    type_ = find_type();
    if (type_ == nullptr) return std::move(configuration_);
    defaults_ = parse_json(type_->defaults, "defaults");
    entry.family = type_->family;
    entry.family_where = entry.where;
    check_architectures();
    check_spelling();
    for (const std::string_view constants : type_->constants) {
      const JsonNode object = placed(parse_json(constants, "constants"));
      for (std::size_t i = 0; i < object.keys.size(); ++i) {
        entry.parameters[object.keys[i].name] = parameter_of({}, object.items[i]);
      }
    }
    for (const std::span<const KeyRule> rules : type_->rules) {
      for (const KeyRule& rule : rules) apply(rule);
    }
    if (type_->complete != nullptr) type_->complete(*this);
    if (!type_->labels.empty()) entry.parameters[std::string(type_->labels)] = labels();
    if (type_->family == "decoder") complete_decoder();
    return std::move(configuration_);
  }

  JsonNode value(std::string_view key) const override {
    const JsonNode* found = nullptr;
    for (const std::string_view name : names_of_key(key)) {
      const JsonNode* given = find_path(root_, name);
      if (given != nullptr && (found == nullptr || found->kind == JsonNode::Kind::null)) found = given;
    }
    // The key for a head that shares the embedding's table may be given for the whole model.
    if (found == nullptr && key == "tie_word_embeddings") found = outer_.find(key);
    if (found != nullptr) return *found;
    for (const std::string_view name : names_of_key(key)) {
      if (const JsonNode* fallback = find_path(defaults_, name)) return placed(*fallback);
    }
    return placed({});
  }

  void set(std::string_view parameter, Value value) override {
    JsonNode node;
    node.kind = JsonNode::Kind::scalar;
    node.scalar = std::move(value);
    configuration_.entry.parameters[std::string(parameter)] = parameter_of({}, placed(std::move(node)));
  }

  void take(std::string_view parameter, std::string_view key) override {
    configuration_.entry.parameters[std::string(parameter)] = parameter_of({key, parameter}, value(key));
  }

 private:
  SourcePosition at(const JsonNode& node) const { return {file_, node.line, node.column}; }

  void apply(const KeyRule& rule) {
    const JsonNode given = value(rule.key);
    if (rule.form == Form::fixed) {
      check_fixed(rule, given);
    } else if (rule.form == Form::equal) {
      check_equal(rule, given);
    } else if (rule.form != Form::if_any || given.kind != JsonNode::Kind::null) {
      configuration_.entry.parameters[std::string(rule.parameter)] = parameter_of(rule, given);
    }
  }

  /// The architecture of an object that names exactly one.
  static const std::string* architecture_of(const JsonNode& node) {
    const JsonNode* list = node.find("architectures");
    const bool is_one = list != nullptr && list->kind == JsonNode::Kind::list && list->items.size() == 1;
    return is_one ? text_of(&list->items.front()) : nullptr;
  }

  /// Type names in the file, that of the language part first.
  std::vector<const JsonNode*> named_types() const {
    std::vector<const JsonNode*> names;
    for (const JsonNode* node : {&root_, &outer_}) {
      if (const JsonNode* type = node->find("model_type"); text_of(type) != nullptr) names.push_back(type);
    }
    return names;
  }

  /// Type with an architecture of this name; if several have it, the one that `model_type` names.
  const ModelType* type_of_architecture(const JsonNode& node) const {
    const std::string* architecture = architecture_of(node);
    const std::string* named = text_of(root_.find("model_type"));
    const ModelType* found = nullptr;
    for (const ModelType& type : model_types()) {
      if (architecture == nullptr || !has_word(type.architectures, *architecture)) continue;
      if (found == nullptr || (named != nullptr && type.name == *named)) found = &type;
    }
    return found;
  }

  /// Type of the file; null, with a problem added, if it is unknown. `architectures` takes precedence if it names an
  /// architecture of a known type: `model_type` may be another name for the same network.
  const ModelType* find_type() {
    if (refuse_unmodeled()) return nullptr;
    if (const ModelType* type = type_of_architecture(root_)) return type;
    for (const JsonNode* name : named_types()) {
      const auto found = std::ranges::find(model_types(), *text_of(name), &ModelType::name);
      if (found != model_types().end()) return &*found;
    }
    if (const ModelType* type = type_of_architecture(outer_)) return type;
    refuse_type();
    return nullptr;
  }

  /// Adds a problem and returns true if the file names a type with a layer that no family supports.
  bool refuse_unmodeled() {
    for (const JsonNode* node : {&root_, &outer_}) {
      const JsonNode* type = node->find("model_type");
      const std::string* name = text_of(type);
      const std::string* architecture = architecture_of(*node);
      for (const UnmodeledType& unmodeled : unmodeled_types()) {
        const bool has_name = name != nullptr && *name == unmodeled.name;
        const bool has_architecture = architecture != nullptr && *architecture == unmodeled.architecture;
        if (!has_name && !has_architecture) continue;
        problems_.add(at(has_name ? *type : *node->find("architectures")),
                      fmt::format("models of type '{}' have {}, which is not modeled; {}", unmodeled.name,
                                  unmodeled.layer, ways_out));
        return true;
      }
    }
    return false;
  }

  static constexpr std::string_view ways_out =
      "other ways to describe a network: export it as ONNX, or write its sizes to a model file (docs/models.md)";

  void refuse_type() {
    std::vector<std::string> known;
    for (const ModelType& type : model_types()) known.emplace_back(type.name);
    const JsonNode* named = root_.find("model_type");
    if (named == nullptr) named = outer_.find("model_type");
    if (named == nullptr) {
      problems_.add(at(outer_),
                    fmt::format("the configuration lacks 'model_type'; known are: {}", fmt::join(known, ", ")));
      return;
    }
    // A merely similar name belongs to another architecture, so only spellings of the same name are suggested.
    std::string hint;
    for (const std::string& type : known) {
      if (text_of(named) != nullptr && plain(type) == plain(*text_of(named))) {
        hint = fmt::format(" (did you mean '{}'?)", type);
      }
    }
    problems_.add(at(*named), fmt::format("'model_type' is {}, which is not known{}; known are: {}; {}",
                                          describe(*named), hint, fmt::join(known, ", "), ways_out));
  }

  void check_architectures() {
    const JsonNode* named = outer_.find("architectures");
    if (named == nullptr || named->kind == JsonNode::Kind::null || &root_ != &outer_) return;
    const auto wrong = [&](const JsonNode& node) {
      problems_.add(at(node), fmt::format("'architectures' has {}, but a list of these is needed: {}", describe(node),
                                          fmt::join(split(type_->architectures, " "), ", ")));
    };
    if (named->kind != JsonNode::Kind::list) return wrong(*named);
    for (const JsonNode& item : named->items) {
      const std::string* name = text_of(&item);
      if (name == nullptr || !has_word(type_->architectures, *name)) wrong(item);
    }
  }

  template <typename Visit>
  void for_each_key(Visit visit) const {
    for (const std::span<const KeyRule> rules : type_->rules) {
      for (const KeyRule& rule : rules) {
        for (const std::string_view name : names_of_key(rule.key)) visit(name.substr(0, name.find('.')));
      }
    }
  }

  /// Unread keys are allowed, but one that resembles a missing key is a misspelling.
  void check_spelling() {
    std::vector<std::string> known(common_keys.begin(), common_keys.end());
    for_each_key([&](std::string_view name) { known.emplace_back(name); });
    for (const JsonNode::Key& key : defaults_.keys) known.push_back(key.name);
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

  /// Value with the source position of the whole configuration.
  JsonNode placed(JsonNode value) const {
    const auto place = [&](JsonNode& node) {
      node.line = root_.line;
      node.column = root_.column;
    };
    place(value);
    std::for_each(value.items.begin(), value.items.end(), place);
    return value;
  }

  void check_fixed(const KeyRule& rule, const JsonNode& value) {
    const JsonNode* fallback = find_path(defaults_, names_of_key(rule.key).front());
    const JsonNode only = fallback == nullptr ? JsonNode{} : *fallback;
    if (is_nothing(value) && is_nothing(only)) return;
    if (value.kind == JsonNode::Kind::scalar && value.scalar == only.scalar) return;
    problems_.add(at(value), fmt::format("'{}' is {}, but the family '{}' supports only {}", rule.key, describe(value),
                                         type_->family, is_nothing(only) ? "nothing" : to_text(only.scalar)));
  }

  static bool is_nothing(const JsonNode& node) {
    return node.kind == JsonNode::Kind::null || (node.kind == JsonNode::Kind::list && node.items.empty());
  }

  void check_equal(const KeyRule& rule, const JsonNode& value) {
    const JsonNode other = this->value(rule.parameter);
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
    for (const Value& each : parameter.values) {
      const auto* text = std::get_if<std::string>(&each);
      parameter.places.push_back({text == nullptr ? std::string{} : *text, parameter.where, {}});
    }
    return parameter;
  }

  /// Value as the family expects it: its name of an activation function, or a number derived from the given one.
  JsonNode resolved(const KeyRule& rule, const JsonNode& given) const {
    JsonNode value = given;
    const std::string* word = text_of(&given);
    const auto* integer = std::get_if<std::int64_t>(&given.scalar);
    switch (rule.form) {
      case Form::if_wider:
        if (given.kind == JsonNode::Kind::null) {
          const JsonNode width = this->value(type_->width);
          value.kind = width.kind;
          value.scalar = worked_out(width.scalar, 4, 0);
        }
        break;
      case Form::widths:
        if (const auto width = this->integer(type_->width); width && integer != nullptr && *integer < 1024) {
          value.scalar = worked_out(Value(*width), *integer, 0);
        }
        break;
      case Form::half:
        if (integer != nullptr) value.scalar = *integer / 2;
        break;
      case Form::two_more:
        value.scalar = worked_out(given.scalar, 1, 2);
        break;
      case Form::two_less:
        if (integer != nullptr) value.scalar = std::min(*integer - 2, families::max_image_px);
        break;
      case Form::tokens:
        if (integer != nullptr) value.scalar = std::min(*integer, families::max_image_px);
        break;
      case Form::activation:
        if (word != nullptr) value.scalar = std::string(pimsweep::value_of(activation_names, *word).value_or(*word));
        break;
      default:
        break;
    }
    return value;
  }

  /// Numbers that are not sizes are left as they are.
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

  /// Length of the list that has an entry per stage; 1 if there is no such list.
  std::size_t stages() const {
    const JsonNode list = value(type_->stages);
    return is_list_of_scalars(list) ? list.items.size() : 1;
  }

  /// Ratio that gives exactly the value when multiplied by the width, despite rounding.
  Value ratio_to_width(const JsonNode& value) const {
    const std::optional<double> width = number_of(this->value(type_->width));
    const std::optional<double> number = number_of(value);
    if (!number || !width || *width <= 0) return value.scalar;
    const double ratio = *number / *width;
    for (const double candidate : {std::nextafter(ratio, 0.0), std::nextafter(ratio, 2 * ratio)}) {
      if (ratio * *width != *number && candidate * *width == *number) return candidate;
    }
    return ratio;
  }

  /// Number of labels as in the transformers library: entries of `id2label`, else `num_labels`, else 2.
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

  /// Value of a parameter that was set to a single integer.
  std::optional<std::int64_t> size(const std::string& parameter) const {
    const auto found = configuration_.entry.parameters.find(parameter);
    if (found == configuration_.entry.parameters.end() || found->second.values.size() != 1) return std::nullopt;
    const auto* integer = std::get_if<std::int64_t>(&found->second.values.front());
    return integer == nullptr ? std::nullopt : std::optional(*integer);
  }

  void complete_decoder() {
    std::map<std::string, Parameter>& parameters = configuration_.entry.parameters;
    // Many files also state a width that no block uses.
    const bool all_have_experts = parameters.contains("experts") && size("dense_blocks").value_or(0) == 0 &&
                                  size("expert_every").value_or(1) == 1;
    if (all_have_experts) parameters.erase("ffn");
    if (parameters.contains("window")) set_windows();
    for (const JsonNode* node : {&root_, &outer_}) {
      read_quantization(*node, file_, parameters, configuration_.notes, problems_);
      if (&root_ == &outer_) break;
    }
    add_notes();
  }

  /// Sets the blocks whose attention has no window, from `layer_types` or else by the rule of the type.
  void set_windows() {
    std::map<std::string, Parameter>& parameters = configuration_.entry.parameters;
    const std::int64_t blocks = size("blocks").value_or(0);
    constexpr std::int64_t max_blocks = 1000;
    if (blocks < 1 || blocks > max_blocks) return;
    std::vector<std::int64_t> full;
    for (std::int64_t block = 1; block <= blocks; ++block) {
      if (!has_window(block, blocks)) full.push_back(block);
    }
    if (std::ssize(full) == blocks) {
      parameters.erase("window");
    } else if (!full.empty()) {
      const SourcePosition where = parameters.at("window").where;
      Parameter& list = parameters["full_blocks"];
      list.is_list = true;
      list.where = where;
      list.values.assign(full.begin(), full.end());
      list.places.assign(full.size(), PlacedText{{}, where, {}});
    }
  }

  bool has_window(std::int64_t block, std::int64_t blocks) const {
    const JsonNode types = value("layer_types");
    if (types.kind == JsonNode::Kind::list && std::ssize(types.items) == blocks) {
      const std::string* type = text_of(&types.items[static_cast<std::size_t>(block - 1)]);
      return type == nullptr || *type != "full_attention";
    }
    // Blocks without rotary embedding attend to all tokens.
    const JsonNode rotating = value("no_rope_layers");
    if (rotating.kind == JsonNode::Kind::list && std::ssize(rotating.items) >= blocks) {
      return rotating.items[static_cast<std::size_t>(block - 1)].scalar != Value(std::int64_t{0});
    }
    switch (type_->windows) {
      case Windows::if_enabled:
        return flag("use_sliding_window") && block > integer("max_window_layers").value_or(0);
      case Windows::pattern: {
        const auto period = integer("sliding_window_pattern|_sliding_window_pattern|no_rope_layer_interval");
        const std::int64_t every = period.value_or(type_->window_period);
        return every < 1 || block % every != 0;
      }
      case Windows::all:
        break;
    }
    return true;
  }

  /// Notes the parts of the described model that the network leaves out.
  void add_notes() {
    if (&root_ != &outer_) {
      std::vector<std::string_view> others;
      for (const JsonNode::Key& key : outer_.keys) {
        const bool is_language = std::ranges::find(language_parts, key.name) != language_parts.end();
        if (!is_language && key.name.ends_with("_config") && key.name != "quantization_config") {
          others.push_back(key.name);
        }
      }
      configuration_.notes.push_back(
          fmt::format("language part only: {} left out{}",
                      others.empty() ? "other parts are" : fmt::format("{}", fmt::join(others, ", ")), vision()));
    }
    if (const auto further = integer("num_nextn_predict_layers"); further.value_or(0) > 0) {
      configuration_.notes.push_back(
          fmt::format("{} module{} for further tokens left out", *further, *further == 1 ? "" : "s"));
    }
  }

  /// Parameters of the omitted part for images.
  std::string vision() const {
    if (outer_.find("vision_config") == nullptr) return "";
    const auto parameters = vision_parameters(outer_, size("hidden").value_or(0));
    return parameters
               ? fmt::format(", {} parameters with the projector of images", *parameters)
               : "; its parameters are not counted: the file does not determine them, or its encoder is not known";
  }

  /// The whole file, and the object in it that describes the network; they differ only for multimodal models.
  const JsonNode& outer_;
  const JsonNode& root_;
  const std::string& file_;
  ProblemList& problems_;
  const ModelType* type_ = nullptr;
  JsonNode defaults_;
  Configuration configuration_;
};

/// Key whose value has a problem at this position; empty if there is none.
std::string_view key_at(const JsonNode& root, const SourcePosition& where) {
  if (const JsonNode* part = language_part(root)) {
    if (const std::string_view key = key_at(*part, where); !key.empty()) return key;
  }
  for (std::size_t i = 0; i < root.items.size() && root.kind == JsonNode::Kind::object; ++i) {
    if (root.items[i].line == where.line && root.items[i].column == where.column) return root.keys[i].name;
  }
  return {};
}

}  // namespace

Configuration read_configuration(const JsonNode& root, const std::string& file, ProblemList& problems) {
  return ConfigurationReader(root, file, problems).read();
}

void add_with_keys(const ProblemList& found, const JsonNode& root, ProblemList& problems) {
  for (const Problem& problem : found.problems()) {
    const std::string_view key = key_at(root, problem.where);
    problems.add(problem.where, key.empty() ? problem.message : fmt::format("{}: {}", key, problem.message));
  }
}

}  // namespace pimsweep::workload::import
