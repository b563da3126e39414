#pragma once

#include <string_view>

#include "workload/import/importer.h"

namespace pimsweep::workload::import {

/// Reads a node: sets the shape of each output and adds the operators that the node becomes. Throws Refusal if the node
/// is not supported.
using Rule = void (*)(NodeCall& call);

/// Rule for nodes of a type ("Conv"); nullptr if the type is not supported.
Rule rule_of(std::string_view type);

/// Convolutions and pooling.
void read_convolution(NodeCall& call);
void read_transposed_convolution(NodeCall& call);
void read_max_pool(NodeCall& call);
void read_average_pool(NodeCall& call);
void read_global_pool(NodeCall& call);

/// GEMMs.
void read_matmul(NodeCall& call);
void read_packed_matmul(NodeCall& call);
void read_gemm(NodeCall& call);
void read_einsum(NodeCall& call);

/// Element-wise operators, normalization and softmax.
void read_function(NodeCall& call);
void read_clip(NodeCall& call);
void read_prelu(NodeCall& call);
void read_binary(NodeCall& call);
void read_where(NodeCall& call);
void read_many(NodeCall& call);
void read_batch_norm(NodeCall& call);
void read_layer_norm(NodeCall& call);
void read_rms_norm(NodeCall& call);
void read_instance_norm(NodeCall& call);
void read_response_norm(NodeCall& call);
void read_softmax(NodeCall& call);
void read_reduction(NodeCall& call);

/// Shapes, constants and data movement.
void read_alias(NodeCall& call);
void read_cast(NodeCall& call);
void read_constant(NodeCall& call);
void read_constant_of_shape(NodeCall& call);
void read_shape(NodeCall& call);
void read_range(NodeCall& call);
void read_reshape(NodeCall& call);
void read_flatten(NodeCall& call);
void read_squeeze(NodeCall& call);
void read_unsqueeze(NodeCall& call);
void read_transpose(NodeCall& call);
void read_concat(NodeCall& call);
void read_split(NodeCall& call);
void read_slice(NodeCall& call);
void read_gather(NodeCall& call);
void read_scatter(NodeCall& call);
void read_pad(NodeCall& call);
void read_resize(NodeCall& call);
void read_expand(NodeCall& call);
void read_tile(NodeCall& call);
void read_depth_to_space(NodeCall& call);
void read_space_to_depth(NodeCall& call);

/// Recurrent layers, unrolled into steps.
void read_lstm(NodeCall& call);
void read_gru(NodeCall& call);
void read_rnn(NodeCall& call);

}  // namespace pimsweep::workload::import
