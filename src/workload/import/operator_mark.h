#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "workload/operator_graph.h"

namespace pimsweep::workload::import {

/// Mark that names the operator of a graph that a node belongs to, for which ONNX lacks a field. It is the doc string
/// of each node of the operator, and of each input that holds data.
struct OperatorMark {
  std::string name;
  OperatorKind kind = OperatorKind::input;
  std::string role;
  std::int64_t stage = 0;
  std::int64_t block = 0;
  Tensor output;
};

/// Maximum length of a doc string that may be a mark.
constexpr std::size_t max_mark_bytes = 1024;

/// True if a doc string begins like a mark.
bool is_mark(std::string_view doc);

std::string text_of(const OperatorMark& mark);

/// Mark that text_of() wrote; none for any other text.
std::optional<OperatorMark> read_mark(std::string_view doc);

}  // namespace pimsweep::workload::import
