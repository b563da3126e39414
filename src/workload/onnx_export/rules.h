#pragma once

#include <cstdint>
#include <string>

#include "workload/onnx_export/operator_writer.h"

namespace pimsweep::workload::onnx_export {

/// Writes an operator. Throws import::Refusal.
using WriteRule = void (*)(OperatorWriter& w);

/// The rule for operators of a kind.
WriteRule rule_of(OperatorKind kind);

void write_input(OperatorWriter& w);
void write_embedding(OperatorWriter& w);

/// Products and windows.
void write_linear(OperatorWriter& w);
void write_matmul(OperatorWriter& w);
void write_convolution(OperatorWriter& w);
void write_transposed_convolution(OperatorWriter& w);
void write_max_pool(OperatorWriter& w);
void write_average_pool(OperatorWriter& w);
void write_global_pool(OperatorWriter& w);

/// Normalization and functions of each element.
void write_layer_norm(OperatorWriter& w);
void write_batch_norm(OperatorWriter& w);
void write_response_norm(OperatorWriter& w);
void write_softmax(OperatorWriter& w);
void write_activation(OperatorWriter& w);
void write_add(OperatorWriter& w);
void write_multiply(OperatorWriter& w);

/// Data movements.
void write_concat(OperatorWriter& w);
void write_slice(OperatorWriter& w);
void write_reshape(OperatorWriter& w);
void write_pad(OperatorWriter& w);
void write_gather(OperatorWriter& w);
void write_roll(OperatorWriter& w);

}  // namespace pimsweep::workload::onnx_export
