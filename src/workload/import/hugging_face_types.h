#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/json.h"
#include "base/value.h"

namespace pimsweep::workload::import {

/// Conversion of the value of a key to a parameter of a family.
enum class Form : std::uint8_t {
  same,        ///< as it is
  one_stage,   ///< a list of this one value
  each_stage,  ///< a list of this value for each stage
  doubling,    ///< a list that starts with this value and doubles with each stage
  per_width,   ///< a list of one ratio: this value divided by that of the width key
  fixed,       ///< no parameter: the family supports only the default
  if_any,      ///< as it is; unset if null, so that the family's default applies
  activation,  ///< the family's name of the activation function
  tokens,      ///< as it is, limited to the family's maximum
  two_less,    ///< two less than this value, limited to the family's maximum
  two_more,    ///< two more than this value
  half,        ///< half of this value
  widths,      ///< this value times that of the width key
  if_wider,    ///< as it is; if null, four times the value of the width key
  equal,       ///< no parameter: must be null or equal to the key that KeyRule::parameter names
};

/// A key of a configuration.
struct KeyRule {
  /// "a|b" are two names of one key, and the first one in the file counts; "a.b" is key b of object a.
  std::string_view key;
  std::string_view parameter;
  Form form = Form::same;
};

/// Access to the values of a configuration, defaults included, and to the parameters set from them, for conversions
/// that a table of keys cannot express.
class Completion {
 public:
  virtual ~Completion() = default;
  /// Value of a key in the syntax of KeyRule::key; null if neither the file nor the defaults have it.
  virtual JsonNode value(std::string_view key) const = 0;
  bool flag(std::string_view key) const;
  std::optional<std::int64_t> integer(std::string_view key) const;
  virtual void set(std::string_view parameter, Value value) = 0;
  /// Sets a parameter to the value of a key, as it is.
  virtual void take(std::string_view parameter, std::string_view key) = 0;
};

/// Blocks with windowed attention, for files without a list of blocks.
enum class Windows : std::uint8_t {
  all,         ///< all blocks
  pattern,     ///< all but the last of every `window_period` blocks
  if_enabled,  ///< blocks from `max_window_layers` on if `use_sliding_window` is true
};

/// Configuration type and the model family that covers its networks.
struct ModelType {
  /// The value of `model_type`.
  std::string_view name;
  std::string_view family;
  /// Allowed values of `architectures`, separated by spaces.
  std::string_view architectures;
  std::array<std::span<const KeyRule>, 5> rules;
  /// Defaults of the transformers library for missing keys, as a JSON object.
  std::string_view defaults;
  /// Parameters that are the same for all networks of the type, as JSON objects.
  std::array<std::string_view, 2> constants = {"{}", "{}"};
  /// Key of the model's width.
  std::string_view width = "hidden_size";
  /// Sets the parameters that the rules cannot; null if there are none.
  void (*complete)(Completion& completion) = nullptr;
  Windows windows = Windows::all;
  /// Period of Windows::pattern in blocks.
  std::int64_t window_period = 0;
  /// Parameter that receives the number of labels; empty if the family has no classifier.
  std::string_view labels = {};
  /// Key whose value has an entry per stage.
  std::string_view stages = {};
};

/// All supported configuration types.
std::span<const ModelType> model_types();

/// Configuration type whose networks have a layer that no family supports.
struct UnmodeledType {
  /// Values of `model_type` and of `architectures`.
  std::string_view name;
  std::string_view architecture;
  std::string_view layer;
};

std::span<const UnmodeledType> unmodeled_types();

}  // namespace pimsweep::workload::import
