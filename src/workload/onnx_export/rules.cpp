#include "workload/onnx_export/rules.h"

#include <array>

namespace pimsweep::workload::onnx_export {

namespace {

struct KindRule {
  OperatorKind kind;
  WriteRule rule;
};

/// In the order of the kinds.
constexpr std::array kind_rules{
    KindRule{OperatorKind::input, write_input},
    KindRule{OperatorKind::embedding, write_embedding},
    KindRule{OperatorKind::linear, write_linear},
    KindRule{OperatorKind::matmul, write_matmul},
    KindRule{OperatorKind::convolution, write_convolution},
    KindRule{OperatorKind::transposed_convolution, write_transposed_convolution},
    KindRule{OperatorKind::layer_norm, write_layer_norm},
    KindRule{OperatorKind::batch_norm, write_batch_norm},
    KindRule{OperatorKind::response_norm, write_response_norm},
    KindRule{OperatorKind::softmax, write_softmax},
    KindRule{OperatorKind::activation, write_activation},
    KindRule{OperatorKind::add, write_add},
    KindRule{OperatorKind::multiply, write_multiply},
    KindRule{OperatorKind::max_pool, write_max_pool},
    KindRule{OperatorKind::average_pool, write_average_pool},
    KindRule{OperatorKind::global_pool, write_global_pool},
    KindRule{OperatorKind::concat, write_concat},
    KindRule{OperatorKind::slice, write_slice},
    KindRule{OperatorKind::reshape, write_reshape},
    KindRule{OperatorKind::pad, write_pad},
    KindRule{OperatorKind::crop, write_slice},
    KindRule{OperatorKind::gather, write_gather},
    KindRule{OperatorKind::roll, write_roll},
};

constexpr bool rules_are_in_order() {
  for (std::size_t i = 0; i < kind_rules.size(); ++i) {
    if (static_cast<std::size_t>(kind_rules[i].kind) != i) return false;
  }
  return kind_rules.back().kind == OperatorKind::roll;
}
static_assert(rules_are_in_order());

}  // namespace

WriteRule rule_of(OperatorKind kind) { return kind_rules[static_cast<std::size_t>(kind)].rule; }

}  // namespace pimsweep::workload::onnx_export
