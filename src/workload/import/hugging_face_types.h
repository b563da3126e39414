#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace pimsweep::workload::import {

/// How the value of a key becomes a parameter of a family.
enum class Form : std::uint8_t {
  same,         ///< as it is
  one_stage,    ///< a list of this one value
  each_stage,   ///< a list of this value for each stage
  doubling,     ///< a list of this value, twice as much in each further stage
  per_width,    ///< a list of one ratio: this value to that of the key of the width
  fixed,        ///< no parameter: the family has nothing but the default
  if_any,       ///< as it is; nothing, which the family has a value for, where it is null
  activation,   ///< the family's word for the function
  tokens,       ///< as it is, but not more than a family takes
  two_more,     ///< two more than this value
  four_widths,  ///< as it is; where it is null, four times the value of the key of the width
  equal,        ///< no parameter: null, or the value of the key that stands in the parameter's place
};

/// A key of a configuration.
struct KeyRule {
  std::string_view key;
  std::string_view parameter;
  /// What the transformers library takes where a file lacks the key, as JSON.
  std::string_view fallback;
  Form form = Form::same;
};

/// A parameter of a family that a kind of configuration has no key for.
struct Constant {
  std::string_view parameter;
  std::string_view value;
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
  /// Parameters that all such networks share, and their values as JSON.
  std::span<const Constant> constants;
};

}  // namespace pimsweep::workload::import
