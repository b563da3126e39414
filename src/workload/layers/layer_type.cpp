#include "workload/layers/layer_type.h"

#include <algorithm>

#include "workload/layers/layer_rules.h"

namespace pimsweep::workload::layers {

namespace {

using Kind = OperatorKind;
using Form = Value::Form;

// The upper bounds only reject mistyped numbers and keep counts within 64 bits.
const Number channels{"CHANNELS", "number of channels", {1, 65536}, &Layer::outputs};
const Number outputs{"OUTPUTS", "number of outputs", {1, 1000000}, &Layer::outputs};
const Number rows{"ROWS", "number of rows", {1, 10000000}, &Layer::rows};
const Number heads{"HEADS", "number of heads", {1, 65536}, &Layer::heads};
const Number scale{"TIMES", "number of times", {1, 255}, &Layer::scale};

const std::vector<std::string> convolution_options{"stride", "pad", "groups", "no_bias"};
const std::vector<std::string> pool_options{"stride", "pad"};

std::vector<LayerType> windows() {
  return {{.word = "conv",
           .kind = Kind::convolution,
           .usage = "conv KxK CHANNELS [stride S] [pad P | pad same] [groups G] [no_bias]",
           .needs = Form::map,
           .extent = true,
           .numbers = {channels},
           .options = convolution_options,
           .takes_norm = true,
           .takes_function = true,
           .shape = window_shape,
           .misfit = groups_misfit,
           .append = append_convolution},
          {.word = "conv_transpose",
           .kind = Kind::transposed_convolution,
           .usage = "conv_transpose KxK CHANNELS [stride S] [pad P | pad same] [groups G] [no_bias]",
           .needs = Form::map,
           .extent = true,
           .numbers = {channels},
           .options = convolution_options,
           .takes_norm = true,
           .takes_function = true,
           .shape = transposed_shape,
           .misfit = groups_misfit,
           .append = append_transposed_convolution},
          {.word = "max_pool",
           .kind = Kind::max_pool,
           .usage = "max_pool KxK [stride S] [pad P | pad same]",
           .needs = Form::map,
           .extent = true,
           .options = pool_options,
           .shape = window_shape,
           .append = append_pool},
          {.word = "average_pool",
           .kind = Kind::average_pool,
           .usage = "average_pool KxK [stride S] [pad P | pad same]",
           .needs = Form::map,
           .extent = true,
           .options = pool_options,
           .shape = window_shape,
           .append = append_pool},
          {.word = "upsample",
           .kind = Kind::gather,
           .usage = "upsample TIMES",
           .needs = Form::map,
           .numbers = {scale},
           .shape = upsample_shape,
           .append = append_move},
          {.word = "global_pool",
           .kind = Kind::global_pool,
           .usage = "global_pool",
           .shape = global_pool_shape,
           .append = append_global_pool}};
}

std::vector<LayerType> products() {
  return {{.word = "fc",
           .kind = Kind::linear,
           .usage = "fc OUTPUTS [no_bias]",
           .needs = Form::tokens,
           .numbers = {outputs},
           .options = {"no_bias"},
           .takes_norm = true,
           .takes_function = true,
           .shape = linear_shape,
           .append = append_linear},
          {.word = "attention",
           .kind = Kind::matmul,
           .usage = "attention HEADS [kv_heads H] [no_bias]",
           .needs = Form::tokens,
           .numbers = {heads},
           .options = {"kv_heads", "no_bias"},
           .max_inputs = 2,
           .misfit = attention_misfit,
           .append = append_attention,
           .is_compound = true},
          {.word = "embedding",
           .kind = Kind::embedding,
           .usage = "embedding ROWS CHANNELS",
           .needs = Form::tokens,
           .numbers = {rows, channels},
           .shape = slice_shape,
           .misfit = embedding_misfit,
           .append = append_embedding},
          {.word = "add_positions",
           .kind = Kind::add,
           .usage = "add_positions ROWS",
           .needs = Form::tokens,
           .numbers = {rows},
           .fit = enough_rows,
           .append = append_table},
          {.word = "add_table",
           .kind = Kind::add,
           .usage = "add_table ROWS",
           .needs = Form::tokens,
           .numbers = {rows},
           .append = append_table}};
}

std::vector<LayerType> joins() {
  return {{.word = "add",
           .kind = Kind::add,
           .usage = "add",
           .takes_function = true,
           .inputs = 2,
           .max_inputs = 2,
           .misfit = add_misfit,
           .fit = equal_sizes,
           .append = append_add},
          {.word = "multiply",
           .kind = Kind::multiply,
           .usage = "multiply",
           .takes_function = true,
           .inputs = 2,
           .max_inputs = 2,
           .misfit = multiply_misfit,
           .fit = equal_sizes_or_factors,
           .append = append_multiply},
          {.word = "concat",
           .kind = Kind::concat,
           .usage = "concat",
           .inputs = 2,
           .max_inputs = 64,
           .shape = concat_shape,
           .misfit = concat_misfit,
           .fit = equal_sizes,
           .append = append_concat},
          {.word = "input",
           .kind = Kind::input,
           .usage = "input CHANNELS [rows N]",
           .numbers = {channels},
           .options = {"rows"},
           .inputs = 0,
           .max_inputs = 0,
           .shape = input_shape,
           .append = append_input}};
}

std::vector<LayerType> movements() {
  return {{.word = "reshape",
           .kind = Kind::reshape,
           .usage = "reshape HxW CHANNELS",
           .needs = Form::tokens,
           .extent = true,
           .numbers = {channels},
           .shape = reshape_shape,
           .fit = equal_elements,
           .append = append_move},
          {.word = "tokens",
           .kind = Kind::reshape,
           .usage = "tokens",
           .needs = Form::map,
           .shape = tokens_shape,
           .append = append_move},
          {.word = "class_token",
           .kind = Kind::concat,
           .usage = "class_token",
           .needs = Form::tokens,
           .shape = class_token_shape,
           .append = append_class_token},
          {.word = "first_token",
           .kind = Kind::slice,
           .usage = "first_token",
           .needs = Form::tokens,
           .shape = global_pool_shape,
           .append = append_move},
          {.word = "slice",
           .kind = Kind::slice,
           .usage = "slice CHANNELS",
           .numbers = {channels},
           .shape = slice_shape,
           .misfit = slice_misfit,
           .append = append_move}};
}

std::vector<LayerType> element_wise() {
  std::vector<LayerType> types{{.word = "batch_norm",
                                .kind = Kind::batch_norm,
                                .usage = "batch_norm",
                                .takes_function = true,
                                .append = append_norm},
                               {.word = "layer_norm",
                                .kind = Kind::layer_norm,
                                .usage = "layer_norm",
                                .takes_function = true,
                                .append = append_norm},
                               {.word = "response_norm", .kind = Kind::response_norm, .usage = "response_norm"},
                               {.word = "softmax", .kind = Kind::softmax, .usage = "softmax"}};
  for (const std::string_view function : {"relu", "relu6", "leaky_relu", "gelu", "silu", "sigmoid", "tanh"}) {
    types.push_back({.word = function, .kind = Kind::activation, .usage = function});
  }
  return types;
}

std::vector<LayerType> all_types() {
  std::vector<LayerType> all;
  for (const auto& group : {windows(), products(), joins(), movements(), element_wise()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

}  // namespace

std::span<const LayerType> layer_types() {
  static const std::vector<LayerType> all = all_types();
  return all;
}

const LayerType* find_type(std::string_view word) {
  const std::span<const LayerType> types = layer_types();
  const auto found = std::ranges::find(types, word, &LayerType::word);
  return found == types.end() ? nullptr : &*found;
}

const LayerType& flatten_type() {
  static const LayerType type{.word = "flatten",
                              .kind = Kind::reshape,
                              .usage = "flatten",
                              .needs = Form::map,
                              .shape = flatten_shape,
                              .append = append_move};
  return type;
}

}  // namespace pimsweep::workload::layers
