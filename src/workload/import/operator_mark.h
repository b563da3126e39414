#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "workload/operator_graph.h"

namespace pimsweep::workload::import {

/// What ONNX has no field for: the operator of a graph that a node is a part of. It stands in the doc string of each
/// node that the operator was written as, and of each input that holds data.
struct OperatorMark {
  std::string name;
  OperatorKind kind = OperatorKind::input;
  std::string role;
  std::int64_t stage = 0;
  std::int64_t block = 0;
  Tensor output;
};

/// Longer doc strings hold no mark.
constexpr std::size_t max_mark_bytes = 1024;

/// Whether a doc string begins like a mark.
bool is_mark(std::string_view doc);

std::string text_of(const OperatorMark& mark);

/// The mark that text_of() wrote; none if the text is another one.
std::optional<OperatorMark> read_mark(std::string_view doc);

}  // namespace pimsweep::workload::import
