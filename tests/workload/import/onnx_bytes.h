#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Writes ONNX files byte by byte, so that tests can also write what no library would.
namespace pimsweep::workload::onnx_bytes {

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80U; value >>= 7U) bytes += static_cast<char>(value | 0x80U);
  return bytes + static_cast<char>(value);
}

inline std::string number(std::uint32_t field, std::int64_t value) {
  return varint(field << 3U) + varint(static_cast<std::uint64_t>(value));
}

inline std::string text(std::uint32_t field, std::string_view content) {
  return varint(field << 3U | 2U) + varint(content.size()) + std::string(content);
}

/// `{"axis", 1}`: an attribute that is an integer.
inline std::string attribute(std::string_view name, std::int64_t value) {
  return text(5, text(1, name) + number(3, value) + number(20, 2));
}

inline std::string attribute(std::string_view name, const std::vector<std::int64_t>& values) {
  std::string bytes = text(1, name);
  for (const std::int64_t value : values) bytes += number(8, value);
  return text(5, bytes + number(20, 7));
}

inline std::string text_attribute(std::string_view name, std::string_view value) {
  return text(5, text(1, name) + text(4, value) + number(20, 3));
}

inline std::string node(std::string_view type, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs, const std::string& attributes = {}) {
  std::string bytes;
  for (const std::string& input : inputs) bytes += text(1, input);
  for (const std::string& output : outputs) bytes += text(2, output);
  return text(1, bytes + text(4, type) + attributes);
}

inline constexpr std::int64_t float_type = 1;
inline constexpr std::int64_t int64_type = 7;

/// An input; an extent below 1 is open and called "open", "batch" where it is -1.
inline std::string input(std::string_view name, const std::vector<std::int64_t>& shape,
                         std::int64_t type = float_type) {
  std::string dimensions;
  for (const std::int64_t extent : shape) {
    dimensions += text(1, extent > 0 ? number(1, extent) : text(2, extent == -1 ? "batch" : "open"));
  }
  return text(11, text(1, name) + text(2, text(1, number(1, type) + text(2, dimensions))));
}

/// An input whose first dimension is open and has this name.
inline std::string open_input(std::string_view name, std::string_view symbol, const std::vector<std::int64_t>& others) {
  std::string dimensions = text(1, text(2, symbol));
  for (const std::int64_t extent : others) dimensions += text(1, number(1, extent));
  return text(11, text(1, name) + text(2, text(1, number(1, float_type) + text(2, dimensions))));
}

/// A learned tensor without its values.
inline std::string weights(std::string_view name, const std::vector<std::int64_t>& shape,
                           std::int64_t type = float_type) {
  std::string bytes;
  for (const std::int64_t extent : shape) bytes += number(1, extent);
  return text(5, bytes + number(2, type) + text(8, name));
}

/// A node of another domain.
inline std::string foreign_node(std::string_view domain, std::string_view type, const std::vector<std::string>& inputs,
                                const std::vector<std::string>& outputs, const std::string& attributes = {}) {
  return node(type, inputs, outputs, attributes + text(7, domain));
}

/// A local function of nodes that node() wrote, for model().
inline std::string function(std::string_view domain, std::string_view name, const std::vector<std::string>& inputs,
                            const std::vector<std::string>& outputs, const std::vector<std::string>& nodes) {
  std::string bytes = text(1, name);
  for (const std::string& input : inputs) bytes += text(4, input);
  for (const std::string& output : outputs) bytes += text(5, output);
  for (const std::string& each : nodes) bytes += varint(7U << 3U | 2U) + each.substr(1);
  return text(25, bytes + text(10, domain));
}

/// A list of integers with its values.
inline std::string integers(std::string_view name, const std::vector<std::int64_t>& values) {
  std::string bytes = number(1, static_cast<std::int64_t>(values.size())) + number(2, int64_type) + text(8, name);
  for (const std::int64_t value : values) bytes += number(7, value);
  return text(5, bytes);
}

inline std::string output(std::string_view name) { return text(12, text(1, name)); }

/// A file of inputs, weights, nodes and outputs.
inline std::string model(const std::string& graph, std::int64_t opset = 13, const std::string& functions = {}) {
  return number(1, 7) + text(7, graph) + text(8, number(2, opset)) + functions;
}

}  // namespace pimsweep::workload::onnx_bytes
