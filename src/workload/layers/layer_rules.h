#pragma once

#include <span>
#include <string>

#include "workload/graph_builder.h"
#include "workload/layers/layer.h"

/// Shapes, checks and operators of the types of layers.
namespace pimsweep::workload::layers {

using Values = std::span<const Value>;
using Sources = std::span<const OperatorId>;

Value window_shape(const Layer& layer, Values inputs);
Value transposed_shape(const Layer& layer, Values inputs);
Value global_pool_shape(const Layer& layer, Values inputs);
Value linear_shape(const Layer& layer, Values inputs);
Value flatten_shape(const Layer& layer, Values inputs);
Value reshape_shape(const Layer& layer, Values inputs);
Value tokens_shape(const Layer& layer, Values inputs);
Value class_token_shape(const Layer& layer, Values inputs);
Value upsample_shape(const Layer& layer, Values inputs);
Value concat_shape(const Layer& layer, Values inputs);
Value slice_shape(const Layer& layer, Values inputs);
Value input_shape(const Layer& layer, Values inputs);

std::string groups_misfit(const Layer& layer, Values inputs);
std::string attention_misfit(const Layer& layer, Values inputs);
std::string embedding_misfit(const Layer& layer, Values inputs);
std::string slice_misfit(const Layer& layer, Values inputs);
std::string add_misfit(const Layer& layer, Values inputs);
std::string multiply_misfit(const Layer& layer, Values inputs);
std::string concat_misfit(const Layer& layer, Values inputs);

Fit equal_sizes(const Layer& layer, Values inputs);
Fit equal_sizes_or_factors(const Layer& layer, Values inputs);
Fit equal_elements(const Layer& layer, Values inputs);
Fit enough_rows(const Layer& layer, Values inputs);

OperatorId append_convolution(GraphBuilder& builder, const Layer& layer, Sources inputs);
OperatorId append_transposed_convolution(GraphBuilder& builder, const Layer& layer, Sources inputs);
OperatorId append_pool(GraphBuilder& builder, const Layer& layer, Sources inputs);
OperatorId append_global_pool(GraphBuilder& builder, const Layer& layer, Sources inputs);
OperatorId append_linear(GraphBuilder& builder, const Layer& layer, Sources inputs);
OperatorId append_norm(GraphBuilder& builder, const Layer& layer, Sources inputs);
OperatorId append_embedding(GraphBuilder& builder, const Layer& layer, Sources inputs);
OperatorId append_table(GraphBuilder& builder, const Layer& layer, Sources inputs);
OperatorId append_class_token(GraphBuilder& builder, const Layer& layer, Sources inputs);
OperatorId append_attention(GraphBuilder& builder, const Layer& layer, Sources inputs);
OperatorId append_add(GraphBuilder& builder, const Layer& layer, Sources inputs);
OperatorId append_multiply(GraphBuilder& builder, const Layer& layer, Sources inputs);
OperatorId append_concat(GraphBuilder& builder, const Layer& layer, Sources inputs);
OperatorId append_input(GraphBuilder& builder, const Layer& layer, Sources inputs);
/// Moves elements without computing: reshape, slice, gather.
OperatorId append_move(GraphBuilder& builder, const Layer& layer, Sources inputs);

}  // namespace pimsweep::workload::layers
