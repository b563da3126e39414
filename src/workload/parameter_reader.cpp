#include "workload/parameter_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace pimsweep::workload {

namespace {

std::string text_of(const Parameter& parameter) {
  std::vector<std::string> texts;
  texts.reserve(parameter.values.size());
  for (const Value& value : parameter.values) {
    texts.push_back(type_of(value) == ValueType::text ? fmt::format("\"{}\"", to_text(value)) : to_text(value));
  }
  return parameter.is_list ? fmt::format("[{}]", fmt::join(texts, ", ")) : texts.front();
}

bool is_integer_within(const Value& value, Range range) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number != nullptr && *number >= range.min && *number <= range.max;
}

bool is_real_within(const Value& value, double min, double max) {
  const ValueType type = type_of(value);
  if (type != ValueType::integer && type != ValueType::real) return false;
  return to_real(value) >= min && to_real(value) <= max;
}

}  // namespace

ParameterReader::ParameterReader(std::map<std::string, Parameter> parameters, std::string model,
                                 SourcePosition model_where, ProblemList& problems)
    : parameters_(std::move(parameters)),
      model_(std::move(model)),
      model_where_(std::move(model_where)),
      problems_(problems) {}

const Parameter* ParameterReader::find(const std::string& key, bool list, const std::string& expected) {
  asked_.insert(key);
  const auto found = parameters_.find(key);
  if (found == parameters_.end()) {
    sound_ = false;
    problems_.add(model_where_,
                  fmt::format("model '{}' lacks '{}': {} is needed, in its [[model]] table or in [common]", model_, key,
                              expected));
    return nullptr;
  }
  if (!found->second.is_list && found->second.values.empty()) {
    sound_ = false;
    return nullptr;
  }
  if (found->second.is_list != list) {
    mistyped(key, expected);
    return nullptr;
  }
  return &found->second;
}

void ParameterReader::mistyped(const std::string& key, const std::string& expected) {
  problem(key, fmt::format("'{}' is {}, but {} is needed", key, text_of(parameters_.at(key)), expected));
}

void ParameterReader::problem(const std::string& key, const std::string& message) {
  sound_ = false;
  const auto found = parameters_.find(key);
  problems_.add(found == parameters_.end() ? model_where_ : found->second.where, message);
}

void ParameterReader::problem(const SourcePosition& where, const std::string& message) {
  sound_ = false;
  problems_.add(where, message);
}

std::int64_t ParameterReader::integer(const std::string& key, Range range) {
  const std::string expected = fmt::format("an integer from {} to {}", range.min, range.max);
  const Parameter* parameter = find(key, false, expected);
  if (parameter == nullptr) return range.min;
  if (!is_integer_within(parameter->values.front(), range)) {
    mistyped(key, expected);
    return range.min;
  }
  return std::get<std::int64_t>(parameter->values.front());
}

bool ParameterReader::boolean(const std::string& key) {
  const Parameter* parameter = find(key, false, "true or false");
  if (parameter == nullptr) return false;
  if (type_of(parameter->values.front()) != ValueType::boolean) {
    mistyped(key, "true or false");
    return false;
  }
  return std::get<bool>(parameter->values.front());
}

double ParameterReader::real(const std::string& key, double min, double max) {
  const std::string expected = fmt::format("a number from {} to {}", min, max);
  const Parameter* parameter = find(key, false, expected);
  if (parameter == nullptr) return min;
  if (!is_real_within(parameter->values.front(), min, max)) {
    mistyped(key, expected);
    return min;
  }
  return to_real(parameter->values.front());
}

std::string ParameterReader::choice(const std::string& key, const std::vector<std::string>& words) {
  const std::string expected = fmt::format("one of: {}", fmt::join(words, ", "));
  const Parameter* parameter = find(key, false, expected);
  if (parameter == nullptr) return words.front();
  const auto* word = std::get_if<std::string>(&parameter->values.front());
  if (word != nullptr && std::find(words.begin(), words.end(), *word) != words.end()) return *word;
  mistyped(key, expected + (word == nullptr ? "" : suggestion(*word, words)));
  return words.front();
}

std::vector<std::int64_t> ParameterReader::stages(const std::string& key, Range lengths, Range range) {
  const std::string count =
      lengths.min == lengths.max ? fmt::format("{}", lengths.min) : fmt::format("{} to {}", lengths.min, lengths.max);
  const std::string expected =
      fmt::format("a list of {} integers from {} to {} (one for each stage)", count, range.min, range.max);
  const Parameter* parameter = find(key, true, expected);
  if (parameter != nullptr) {
    if (is_integer_within(static_cast<std::int64_t>(parameter->values.size()), lengths)) {
      stage_count_ = parameter->values.size();
      return integers(key, range);
    }
    mistyped(key, expected);
  }
  return std::vector<std::int64_t>(static_cast<std::size_t>(lengths.min), range.min);
}

const std::vector<Value>* ParameterReader::find_for_stages(const std::string& key, const std::string& expected,
                                                           const std::function<bool(const Value&)>& allowed) {
  const Parameter* parameter = find(key, true, expected);
  if (parameter == nullptr) return nullptr;
  const std::vector<Value>& values = parameter->values;
  if (values.size() != stage_count_.value_or(values.size()) || !std::all_of(values.begin(), values.end(), allowed)) {
    mistyped(key, expected);
    return nullptr;
  }
  return stage_count_ ? &values : nullptr;
}

std::vector<std::int64_t> ParameterReader::integers(const std::string& key, Range range) {
  std::vector<std::int64_t> numbers(stage_count_.value_or(1), range.min);
  const std::string count = stage_count_ ? fmt::format("{} ", *stage_count_) : "";
  const std::string expected =
      fmt::format("a list of {}integers from {} to {} (one for each stage)", count, range.min, range.max);
  if (const std::vector<Value>* values =
          find_for_stages(key, expected, [&](const Value& value) { return is_integer_within(value, range); })) {
    std::transform(values->begin(), values->end(), numbers.begin(),
                   [](const Value& value) { return std::get<std::int64_t>(value); });
  }
  return numbers;
}

std::vector<double> ParameterReader::reals(const std::string& key, double min, double max) {
  std::vector<double> numbers(stage_count_.value_or(1), min);
  const std::string count = stage_count_ ? fmt::format("{} ", *stage_count_) : "";
  const std::string expected = fmt::format("a list of {}numbers from {} to {} (one for each stage)", count, min, max);
  if (const std::vector<Value>* values =
          find_for_stages(key, expected, [&](const Value& value) { return is_real_within(value, min, max); })) {
    std::transform(values->begin(), values->end(), numbers.begin(), to_real);
  }
  return numbers;
}

std::vector<PlacedText> ParameterReader::texts(const std::string& key, Range lengths, const std::string& meaning) {
  const std::string expected = fmt::format("a list of {} to {} {}", lengths.min, lengths.max, meaning);
  const Parameter* parameter = find(key, true, expected);
  if (parameter == nullptr) return {};
  if (!is_integer_within(static_cast<std::int64_t>(parameter->values.size()), lengths)) {
    problem(key, fmt::format("'{}' has {} entries, but {} is needed", key, parameter->values.size(), expected));
    return {};
  }
  std::vector<PlacedText> texts;
  for (std::size_t i = 0; i < parameter->values.size(); ++i) {
    if (type_of(parameter->values[i]) == ValueType::text) {
      texts.push_back(parameter->places.at(i));
    } else {
      problem(parameter->places.at(i).where,
              fmt::format("'{}' has {}, but {} is needed", key, to_text(parameter->values[i]), expected));
    }
  }
  return texts;
}

void ParameterReader::finish() {
  const std::vector<std::string> known(asked_.begin(), asked_.end());
  for (const auto& [key, parameter] : parameters_) {
    const bool passed_over = std::ranges::any_of(
        passed_over_, [&name = key](const std::string& prefix) { return name.starts_with(prefix); });
    if (passed_over || asked_.contains(key)) continue;
    problems_.add(parameter.where, fmt::format("unknown key '{}'{}; a model of this family has: {}", key,
                                               suggestion(key, known), fmt::join(known, ", ")));
  }
}

std::string ParameterReader::canonical() const {
  std::string text;
  if (!sound_) return text;
  for (const std::string& key : asked_) text += fmt::format("{} = {}\n", key, text_of(parameters_.at(key)));
  return text;
}

}  // namespace pimsweep::workload
