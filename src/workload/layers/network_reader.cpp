#include "workload/layers/network_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "workload/layers/layer_reader.h"

namespace pimsweep::workload::layers {

namespace {

constexpr std::int64_t operators_of_attention = 7;

std::vector<std::string> names_of(const auto& map) {
  std::vector<std::string> names;
  names.reserve(map.size());
  for (const auto& entry : map) names.push_back(entry.first);
  return names;
}

/// The role of a layer: its name up to the first dot, except for activation functions, whose role is the function.
std::string role_of(const LayerType& type, const std::string& given_name) {
  if (given_name.empty() || type.kind == OperatorKind::activation) return std::string(type.word);
  return given_name.substr(0, given_name.find('.'));
}

std::string form_misfit(const LayerType& type) {
  if (type.kind == OperatorKind::reshape && type.extent) {
    return "it works on the outputs of a fully connected layer or a global pool, or on tokens, not on a map";
  }
  if (type.needs == Value::Form::tokens) {
    return "it works on tokens or a vector, not on a map; \"tokens\" makes tokens of a map";
  }
  return "it requires a map of height x width x channels, which does not exist after a fully connected layer or a "
         "global "
         "pool; \"reshape HxW CHANNELS\" makes one";
}

}  // namespace

NetworkReader::NetworkReader(const NetworkText& text, Reporter& reporter, const NetworkInput& input)
    : text_(text), reporter_(reporter) {
  network_.input = input;
}

Steps NetworkReader::read() {
  Scope scope;
  scope.layers[std::string(network_.input.name())] = 0;
  network_.steps.push_back({});
  values_.push_back(network_.input.at(1));
  read_all(text_.layers, scope);
  return std::move(network_);
}

void NetworkReader::read_all(const std::vector<Sentence>& layers, Scope& scope) {
  for (const Sentence& sentence : layers) {
    ++texts_;
    if (!is_stopped()) read_statement(sentence, scope);
    if (!is_stopped()) continue;
    if (scope.block == nullptr && is_too_large()) {
      reporter_.problem(sentence,
                        fmt::format("the network has more than {} operators, blocks written out", max_operators));
    }
    return;
  }
}

void NetworkReader::read_statement(const Sentence& sentence, Scope& scope) {
  Statement statement = parts_of(sentence, scope);
  const std::string word = statement.begin < statement.words.size() ? statement.words[statement.begin].text : "";
  const LayerType* type = find_type(word);
  const auto block = text_.blocks.find(word);
  std::string name = statement.name;
  const int number = ++scope.counts[word];
  if (name.empty()) name = fmt::format("{}{}", word, number);
  if (type == nullptr && block == text_.blocks.end()) {
    const std::vector<std::string> known = known_words();
    const bool is_known = statement.begin >= statement.words.size() || statement.words[statement.begin].is_known;
    if (word.empty() && is_known) {
      reporter_.problem(sentence, statement.begin, fmt::format("expected a layer; layers: {}", fmt::join(known, ", ")));
    } else if (is_known) {
      reporter_.problem(
          sentence, statement.begin,
          fmt::format("unknown layer '{}'{}; layers: {}", word, suggestion(word, known), fmt::join(known, ", ")));
    }
    place_unknown(scope);
  } else if (!is_wanted(statement)) {
    if (statement.from && !statement.from->empty()) scope.previous = statement.from->front();
  } else if (type != nullptr) {
    read_layer(*type, statement, scope, name);
  } else {
    read_use(block->second, statement, scope, name);
  }
  if (!scope.layers.emplace(name, scope.previous).second && !word.empty()) {
    reporter_.problem(sentence, fmt::format("the name '{}' is already used", name));
  }
}

NetworkReader::Statement NetworkReader::parts_of(const Sentence& sentence, const Scope& scope) {
  Statement statement{sentence, {}, {}, 0, sentence.words.size(), std::nullopt};
  read_name(statement);
  read_from(statement, scope);
  statement.words = sentence.words;
  for (std::size_t i = statement.begin; i < statement.end; ++i) statement.words[i] = resolve(sentence, i, scope);
  return statement;
}

void NetworkReader::read_name(Statement& statement) {
  const std::vector<Word>& words = statement.sentence.words;
  const auto equals = std::ranges::find(words, "=", &Word::text);
  if (equals == words.end()) return;
  const auto at = static_cast<std::size_t>(equals - words.begin());
  if (at != 1) {
    reporter_.problem(statement.sentence, at, "expected one name before '=', as in \"conv1 = conv 3x3 64\"");
  } else if (!is_name(words.front().text)) {
    reporter_.problem(
        statement.sentence, 0,
        fmt::format("'{}' is not a valid name: expected letters, digits, '_', '-' and '.', starting with a letter",
                    words.front().text));
  } else {
    statement.name = words.front().text;
  }
  statement.begin = at + 1;
}

void NetworkReader::read_from(Statement& statement, const Scope& scope) {
  const std::vector<Word>& words = statement.sentence.words;
  for (std::size_t i = statement.begin + 1; i < words.size(); ++i) {
    if (words[i].text == "from") statement.end = std::min(statement.end, i);
  }
  if (statement.end == words.size()) return;
  statement.from.emplace();
  if (statement.end + 1 == words.size()) {
    reporter_.problem(statement.sentence, words.size(), "the names of earlier layers follow after 'from'");
  }
  for (std::size_t i = statement.end + 1; i < words.size(); ++i) {
    const auto found = scope.layers.find(words[i].text);
    if (found != scope.layers.end()) {
      statement.from->push_back(found->second);
      continue;
    }
    const std::vector<std::string> known = names_of(scope.layers);
    reporter_.problem(statement.sentence, i,
                      fmt::format("no earlier layer{} is called '{}'{}", scope.block == nullptr ? "" : " of its block",
                                  words[i].text, suggestion(words[i].text, known)));
    statement.from->push_back(values_.size());
    values_.push_back({});
    network_.steps.push_back({});
  }
}

bool NetworkReader::is_wanted(Statement& statement) {
  for (std::size_t i = statement.begin + 1; i < statement.end; ++i) {
    if (statement.words[i].text != "if") continue;
    const bool has_value = i + 1 < statement.end;
    const auto value = has_value ? integer_of(statement.words[i + 1].text, {0, 1000000}) : std::nullopt;
    if (!value && (!has_value || statement.words[i + 1].is_known)) {
      reporter_.problem(statement.sentence, i + 1, "expected a number after 'if': 0 omits the layer");
    }
    if (i + 2 < statement.end) {
      reporter_.problem(statement.sentence, i + 2, "only 'from' and its names may follow the number of 'if'");
    }
    statement.end = i;
    return value.value_or(1) != 0;
  }
  return true;
}

Word NetworkReader::resolve(const Sentence& sentence, std::size_t index, const Scope& scope) {
  const Word& word = sentence.words[index];
  if (word.text.find_first_of("$*/") == std::string::npos) return word;
  constexpr Range any_range{0, 1000000000};
  Word result = word;
  std::int64_t value = 1;
  char sign = '*';
  for (std::size_t begin = 0; begin <= word.text.size();) {
    const std::size_t end = std::min(word.text.find_first_of("*/", begin), word.text.size());
    const Word factor = value_of(sentence, index, std::string_view(word.text).substr(begin, end - begin), scope);
    result.is_known = result.is_known && factor.is_known;
    if (begin == 0 && end == word.text.size()) return {factor.text, word.offset, factor.is_known};
    const auto number = integer_of(factor.text, any_range);
    if (result.is_known && (!number || (sign == '/' && (*number == 0 || value % *number != 0)) ||
                            (sign == '*' && *number > 0 && value > any_range.max / *number))) {
      reporter_.problem(sentence, index,
                        number ? fmt::format("'{}': {} {} {} is not a whole number up to {}", word.text, value, sign,
                                             *number, any_range.max)
                               : fmt::format("'{}' is not a number in '{}'", factor.text, word.text));
      result.is_known = false;
    }
    if (!result.is_known) return result;
    value = sign == '*' ? value * *number : value / *number;
    sign = end < word.text.size() ? word.text[end] : '*';
    begin = end + 1;
  }
  result.text = std::to_string(value);
  return result;
}

Word NetworkReader::value_of(const Sentence& sentence, std::size_t index, std::string_view factor, const Scope& scope) {
  Word word{std::string(factor), sentence.words[index].offset};
  if (!factor.starts_with('$')) return word;
  const std::string name(factor.substr(1));
  const auto argument = scope.arguments.find(name);
  if (argument != scope.arguments.end()) return argument->second;
  const auto layer = scope.layers.find(name);
  if (layer != scope.layers.end()) {
    const Value& value = values_[layer->second];
    return {std::to_string(value.channels), word.offset, value.is_known()};
  }
  std::vector<std::string> known = names_of(scope.arguments);
  const std::vector<std::string> layers = names_of(scope.layers);
  known.insert(known.end(), layers.begin(), layers.end());
  reporter_.problem(sentence, index,
                    fmt::format("'${}' is neither a parameter nor an earlier layer{}", name, suggestion(name, known)));
  word.is_known = false;
  return word;
}

std::optional<std::vector<std::size_t>> NetworkReader::sources_of(const Statement& statement, std::size_t min,
                                                                  std::size_t max, const Scope& scope) {
  if (!statement.from && min <= 1) {
    return min == 0 ? std::vector<std::size_t>{} : std::vector<std::size_t>{scope.previous};
  }
  if (statement.from && statement.from->empty()) return std::nullopt;  // which is reported
  const std::size_t count = statement.from ? statement.from->size() : 0;
  if (count >= min && count <= max) return statement.from;
  const std::string wanted = min == max ? std::to_string(max) : fmt::format("{} to {}", min, max);
  reporter_.problem(statement.sentence, statement.end,
                    fmt::format("it reads {} input{}, not {}{}", wanted, max == 1 ? "" : "s", count,
                                min > 1 ? ": name them after 'from', as in \"add from a b\"" : ""));
  return std::nullopt;
}

void NetworkReader::read_layer(const LayerType& type, const Statement& statement, Scope& scope,
                               const std::string& name) {
  Layer layer;
  LayerReader reader(type, statement.sentence, statement.words, statement.begin + 1, statement.end, reporter_);
  const bool sound = reader.read(layer);
  auto sources = sources_of(statement, type.inputs, type.max_inputs, scope);
  if (!sound || !sources) return place_unknown(scope);
  layer.name = type.is_compound ? statement.name : name;
  layer.role = role_of(type, statement.name);
  if (type.kind == OperatorKind::linear && values_[sources->front()].is_map()) {
    Layer flatten;
    flatten.type = &flatten_type();
    flatten.name = name + ".flatten";
    flatten.role = "flatten";
    place(flatten, *sources, statement.sentence, scope);
    sources->front() = scope.previous;
  }
  if (!suits(layer, *sources, statement)) return place_unknown(scope);
  place(layer, std::move(*sources), statement.sentence, scope);
  if (reader.has_norm()) {
    Layer norm;
    norm.type = find_type("batch_norm");
    norm.name = name + "_norm";
    norm.role = layer.role + "_norm";
    place(norm, {scope.previous}, statement.sentence, scope);
  }
  if (reader.function() == nullptr) return;
  Layer function;
  function.type = reader.function();
  function.role = function.type->word;
  place(function, {scope.previous}, statement.sentence, scope);
}

bool NetworkReader::suits(const Layer& layer, const std::vector<std::size_t>& sources, const Statement& statement) {
  std::vector<Value> inputs;
  inputs.reserve(sources.size());
  for (const std::size_t source : sources) inputs.push_back(values_[source]);
  if (std::ranges::any_of(inputs, [](const Value& value) { return !value.is_known(); })) return false;
  std::string wrong;
  const Value::Form needs = layer.type->needs;
  if (needs != Value::Form::unknown &&
      std::ranges::any_of(inputs, [&](const Value& value) { return value.form != needs; })) {
    wrong = form_misfit(*layer.type);
  } else if (layer.type->misfit != nullptr) {
    wrong = layer.type->misfit(layer, inputs);
  }
  if (!wrong.empty()) reporter_.problem(statement.sentence, wrong);
  return wrong.empty();
}

void NetworkReader::place(const Layer& layer, std::vector<std::size_t> sources, const Sentence& sentence,
                          Scope& scope) {
  std::vector<Value> inputs;
  inputs.reserve(sources.size());
  for (const std::size_t source : sources) inputs.push_back(values_[source]);
  operators_ += layer.type->is_compound ? operators_of_attention : 1;
  scope.previous = values_.size();
  values_.push_back(inputs.empty() || inputs.front().is_known() ? shape_after(layer, inputs) : Value{});
  network_.steps.push_back({layer, std::move(sources), scope.place, &sentence});
}

void NetworkReader::place_unknown(Scope& scope) {
  scope.previous = values_.size();
  values_.push_back({});
  network_.steps.push_back({});
}

std::vector<std::string> NetworkReader::known_words() const {
  std::vector<std::string> words;
  for (const LayerType& type : layer_types()) words.emplace_back(type.word);
  const std::vector<std::string> names = names_of(text_.blocks);
  words.insert(words.end(), names.begin(), names.end());
  return words;
}

}  // namespace pimsweep::workload::layers
