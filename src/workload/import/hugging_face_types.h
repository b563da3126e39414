#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/json.h"
#include "base/value.h"

namespace pimsweep::workload::import {

/// How the value of a key becomes a parameter of a family.
enum class Form : std::uint8_t {
  same,        ///< as it is
  one_stage,   ///< a list of this one value
  each_stage,  ///< a list of this value for each stage
  doubling,    ///< a list of this value, twice as much in each further stage
  per_width,   ///< a list of one ratio: this value to that of the key of the width
  fixed,       ///< no parameter: the family has nothing but the default
  if_any,      ///< as it is; nothing, which the family has a value for, where it is null
  activation,  ///< the family's word for the function
  tokens,      ///< as it is, but not more than a family takes
  two_less,    ///< two less than this value, but not more than a family takes
  two_more,    ///< two more than this value
  half,        ///< half of this value
  widths,      ///< so many times the value of the key of the width
  if_wider,    ///< as it is; where it is null, four times the value of the key of the width
  equal,       ///< no parameter: null, or the value of the key that stands in the parameter's place
};

/// A key of a configuration.
struct KeyRule {
  /// "a|b" are two names of one key, of which the first that the file has counts; "a.b" is key b of the object a.
  std::string_view key;
  std::string_view parameter;
  Form form = Form::same;
};

/// Values of a configuration, or their defaults, for what a table of keys cannot say, and what they amount to.
class Completion {
 public:
  virtual ~Completion() = default;
  /// The value of a key in the form of KeyRule::key; null if neither the file nor the defaults have it.
  virtual JsonNode value(std::string_view key) const = 0;
  bool flag(std::string_view key) const;
  std::optional<std::int64_t> integer(std::string_view key) const;
  virtual void set(std::string_view parameter, Value value) = 0;
  /// The parameter from a key, as it is.
  virtual void take(std::string_view parameter, std::string_view key) = 0;
};

/// Which blocks the window of a model holds for where the file does not say so block by block.
enum class Windows : std::uint8_t {
  all,         ///< all of them
  pattern,     ///< all but the last one of every so many
  if_enabled,  ///< where `use_sliding_window` is true, all from `max_window_layers` on
};

/// A kind of configuration and the family of models that has its networks.
struct ModelType {
  /// The value of `model_type`.
  std::string_view name;
  std::string_view family;
  /// What `architectures` may say, with blanks in between.
  std::string_view architectures;
  std::array<std::span<const KeyRule>, 5> rules;
  /// What the transformers library takes where a file lacks a key, as a JSON object.
  std::string_view defaults;
  /// Parameters that all such networks share, as JSON objects.
  std::array<std::string_view, 2> constants = {"{}", "{}"};
  /// The key of the width.
  std::string_view width = "hidden_size";
  /// What remains to be said after the rules; null for nothing.
  void (*complete)(Completion& completion) = nullptr;
  Windows windows = Windows::all;
  /// Of Windows::pattern.
  std::int64_t window_period = 0;
  /// The parameter that the number of labels becomes; empty where the family has no classifier.
  std::string_view labels = {};
  /// The key whose value has an entry for each stage.
  std::string_view stages = {};
};

/// All kinds of configurations that are known.
std::span<const ModelType> model_types();

/// A kind of configuration whose networks have a layer that no family has.
struct UnmodeledType {
  /// Values of `model_type` and of `architectures`.
  std::string_view name;
  std::string_view architecture;
  std::string_view layer;
};

std::span<const UnmodeledType> unmodeled_types();

}  // namespace pimsweep::workload::import
