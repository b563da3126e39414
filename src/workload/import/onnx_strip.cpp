#include "workload/import/onnx_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "base/error.h"
#include "workload/import/operator_mark.h"

namespace pimsweep::workload::import {

namespace {

/// Messages of onnx.proto that are parsed; `other` is copied as it is.
enum class Message : std::uint8_t {
  model,
  graph,
  node,
  attribute,
  tensor,
  input,
  type,
  tensor_type,
  shape,
  function,
  other
};

enum class Action : std::uint8_t { descend, drop, keep_mark };

/// Treatment of a length-delimited field of a message; all other fields are copied.
struct FieldRule {
  Message message;
  std::uint32_t field;
  Action action;
  Message child = Message::other;
};

constexpr std::array field_rules{
    FieldRule{Message::model, 6, Action::drop},  // doc_string
    FieldRule{Message::model, 7, Action::descend, Message::graph},
    FieldRule{Message::model, 14, Action::drop},  // metadata_props
    FieldRule{Message::model, 20, Action::drop},  // training_info
    FieldRule{Message::model, 25, Action::descend, Message::function},
    FieldRule{Message::function, 7, Action::descend, Message::node},
    FieldRule{Message::function, 8, Action::drop},  // doc_string
    FieldRule{Message::graph, 1, Action::descend, Message::node},
    FieldRule{Message::graph, 5, Action::descend, Message::tensor},
    FieldRule{Message::graph, 10, Action::drop},  // doc_string
    FieldRule{Message::graph, 11, Action::descend, Message::input},
    FieldRule{Message::graph, 13, Action::drop},  // value_info
    FieldRule{Message::graph, 14, Action::drop},  // quantization_annotation
    FieldRule{Message::node, 5, Action::descend, Message::attribute},
    FieldRule{Message::node, 6, Action::keep_mark},  // doc_string
    FieldRule{Message::attribute, 5, Action::descend, Message::tensor},
    FieldRule{Message::attribute, 6, Action::drop},   // g: a body of control flow
    FieldRule{Message::attribute, 10, Action::drop},  // tensors
    FieldRule{Message::attribute, 11, Action::drop},  // graphs
    FieldRule{Message::attribute, 13, Action::drop},  // doc_string
    FieldRule{Message::tensor, 12, Action::drop},     // doc_string
    FieldRule{Message::tensor, 13, Action::drop},     // external_data
    FieldRule{Message::input, 2, Action::descend, Message::type},
    FieldRule{Message::input, 3, Action::keep_mark},  // doc_string
    FieldRule{Message::type, 1, Action::descend, Message::tensor_type},
    FieldRule{Message::tensor_type, 2, Action::descend, Message::shape},
    FieldRule{Message::shape, 1, Action::descend, Message::other},
};

const FieldRule* field_rule_of(Message message, std::uint32_t field) {
  const auto* found = std::find_if(field_rules.begin(), field_rules.end(), [&](const FieldRule& rule) {
    return rule.message == message && rule.field == field;
  });
  return found == field_rules.end() ? nullptr : found;
}

constexpr std::size_t max_stripped_bytes = 8U << 20U;
constexpr std::size_t max_parts = 800'000;
/// Limit for values that shapes may be computed from, which are a few numbers.
constexpr std::size_t max_real_bytes = 64;
constexpr std::size_t max_integer_bytes = 8192;

/// One field of a message: its whole bytes, and the content of a length-delimited one.
struct Field {
  std::uint32_t number = 0;
  std::uint32_t wire_type = 0;
  std::string_view whole;
  std::string_view content;
  std::uint64_t value = 0;
};

class Stripper {
 public:
  explicit Stripper(const std::string& file) : file_(file) {}

  std::string strip(Message message, std::string_view bytes) {
    count_part();
    const bool keeps_values = message != Message::tensor || has_small_values(bytes);
    std::string result;
    while (!bytes.empty()) {
      const Field field = next(bytes);
      if (!keeps_values && is_value(field.number)) continue;
      if (message == Message::node) count_part();
      append(message, field, result);
      if (result.size() > max_stripped_bytes) {
        refuse(fmt::format("it has more than {} MiB besides its weights", max_stripped_bytes >> 20U));
      }
    }
    return result;
  }

 private:
  void count_part() {
    if (++parts_ <= max_parts) return;
    refuse(fmt::format("it has more than {} nodes, inputs and outputs of nodes, attributes and dimensions", max_parts));
  }

  [[noreturn]] void refuse(std::string_view reason) const {
    throw InputError({file_, 0, 0}, fmt::format("cannot be read as an ONNX network: {}", reason));
  }

  static constexpr std::uint32_t length_delimited = 2;

  void append(Message message, const Field& field, std::string& result) {
    const FieldRule* rule = field.wire_type == length_delimited ? field_rule_of(message, field.number) : nullptr;
    if (rule == nullptr || (rule->action == Action::keep_mark && is_mark(field.content))) {
      result += field.whole;
    } else if (rule->action == Action::descend) {
      const std::string child = strip(rule->child, field.content);
      append_varint(field.number << 3U | length_delimited, result);
      append_varint(child.size(), result);
      result += child;
    }
  }

  /// Fields of a tensor that hold values: float_data to int64_data, raw_data to uint64_data.
  static bool is_value(std::uint32_t field) { return (field >= 4 && field <= 7) || (field >= 9 && field <= 11); }

  bool has_small_values(std::string_view tensor) const {
    std::size_t size = 0;
    std::uint64_t type = 0;
    while (!tensor.empty()) {
      const Field field = next(tensor);
      if (field.number == 2) type = field.value;
      if (is_value(field.number)) size += field.whole.size();
    }
    constexpr std::uint64_t int32 = 6;
    constexpr std::uint64_t int64 = 7;
    return size <= (type == int32 || type == int64 ? max_integer_bytes : max_real_bytes);
  }

  std::uint64_t varint(std::string_view& bytes) const {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
      const auto byte = static_cast<std::uint8_t>(bytes.front());
      bytes.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80U) return value;
    }
    refuse("it is not a Protocol Buffers message");
  }

  static void append_varint(std::uint64_t value, std::string& bytes) {
    for (; value >= 0x80U; value >>= 7U) bytes += static_cast<char>(value | 0x80U);
    bytes += static_cast<char>(value);
  }

  /// Takes the next field off the front of `bytes`.
  Field next(std::string_view& bytes) const {
    const std::string_view start = bytes;
    const std::uint64_t tag = varint(bytes);
    Field field;
    field.number = static_cast<std::uint32_t>(tag >> 3U);
    field.wire_type = static_cast<std::uint32_t>(tag & 7U);
    std::uint64_t size = 0;
    switch (field.wire_type) {
      case 0:
        field.value = varint(bytes);
        break;
      case 1:
        size = 8;
        break;
      case length_delimited:
        size = varint(bytes);
        break;
      case 5:
        size = 4;
        break;
      default:
        refuse("it is not a Protocol Buffers message");
    }
    if (size > bytes.size()) refuse("it ends too early; is the file complete?");
    field.content = bytes.substr(0, size);
    bytes.remove_prefix(size);
    field.whole = start.substr(0, start.size() - bytes.size());
    return field;
  }

  const std::string& file_;
  std::size_t parts_ = 0;
};

}  // namespace

std::string strip_weights(std::string_view bytes, const std::string& file) {
  return Stripper(file).strip(Message::model, bytes);
}

}  // namespace pimsweep::workload::import
