#include "workload/import/rules.h"

#include <unordered_map>

namespace pimsweep::workload::import {

namespace {

/// All types of nodes that are known; a new one adds a line here.
const std::unordered_map<std::string_view, Rule>& rules() {
  static const std::unordered_map<std::string_view, Rule> table{
      {"Conv", read_convolution},
      {"ConvTranspose", read_transposed_convolution},
      {"MaxPool", read_max_pool},
      {"AveragePool", read_average_pool},
      {"LpPool", read_average_pool},
      {"GlobalAveragePool", read_global_pool},
      {"GlobalMaxPool", read_global_pool},
      {"GlobalLpPool", read_global_pool},

      {"MatMul", read_matmul},
      {"Gemm", read_gemm},
      {"Einsum", read_einsum},

      {"Abs", read_function},
      {"Acos", read_function},
      {"Acosh", read_function},
      {"Asin", read_function},
      {"Asinh", read_function},
      {"Atan", read_function},
      {"Atanh", read_function},
      {"Ceil", read_function},
      {"Celu", read_function},
      {"Cos", read_function},
      {"Cosh", read_function},
      {"CumSum", read_function},
      {"Elu", read_function},
      {"Erf", read_function},
      {"Exp", read_function},
      {"Floor", read_function},
      {"HardSigmoid", read_function},
      {"HardSwish", read_function},
      {"Hardmax", read_softmax},
      {"IsInf", read_function},
      {"IsNaN", read_function},
      {"LeakyRelu", read_function},
      {"Log", read_function},
      {"Neg", read_function},
      {"Not", read_function},
      {"Reciprocal", read_function},
      {"Relu", read_function},
      {"Round", read_function},
      {"Selu", read_function},
      {"Sigmoid", read_function},
      {"Sign", read_function},
      {"Sin", read_function},
      {"Sinh", read_function},
      {"Softplus", read_function},
      {"Softsign", read_function},
      {"Sqrt", read_function},
      {"Tan", read_function},
      {"Tanh", read_function},
      {"ThresholdedRelu", read_function},
      {"Trilu", read_function},
      {"com.microsoft.Gelu", read_function},
      {"Clip", read_clip},
      {"PRelu", read_prelu},

      {"Add", read_binary},
      {"And", read_binary},
      {"Div", read_binary},
      {"Equal", read_binary},
      {"Greater", read_binary},
      {"GreaterOrEqual", read_binary},
      {"Less", read_binary},
      {"LessOrEqual", read_binary},
      {"Mod", read_binary},
      {"Mul", read_binary},
      {"Or", read_binary},
      {"Pow", read_binary},
      {"Sub", read_binary},
      {"Xor", read_binary},
      {"Max", read_many},
      {"Mean", read_many},
      {"Min", read_many},
      {"Sum", read_many},
      {"Where", read_where},

      {"BatchNormalization", read_batch_norm},
      {"InstanceNormalization", read_instance_norm},
      {"LayerNormalization", read_layer_norm},
      {"LRN", read_response_norm},
      {"LpNormalization", read_instance_norm},
      {"MeanVarianceNormalization", read_instance_norm},
      {"LogSoftmax", read_softmax},
      {"Softmax", read_softmax},

      {"ArgMax", read_reduction},
      {"ArgMin", read_reduction},
      {"ReduceL1", read_reduction},
      {"ReduceL2", read_reduction},
      {"ReduceLogSum", read_reduction},
      {"ReduceLogSumExp", read_reduction},
      {"ReduceMax", read_reduction},
      {"ReduceMean", read_reduction},
      {"ReduceMin", read_reduction},
      {"ReduceProd", read_reduction},
      {"ReduceSum", read_reduction},
      {"ReduceSumSquare", read_reduction},

      {"Cast", read_cast},
      {"CastLike", read_alias},
      {"Dropout", read_alias},
      {"Identity", read_alias},
      {"Constant", read_constant},
      {"ConstantOfShape", read_constant_of_shape},
      {"Range", read_range},
      {"Shape", read_shape},
      {"Size", read_shape},

      {"Concat", read_concat},
      {"DepthToSpace", read_depth_to_space},
      {"Expand", read_expand},
      {"Flatten", read_flatten},
      {"Gather", read_gather},
      {"Pad", read_pad},
      {"Reshape", read_reshape},
      {"Resize", read_resize},
      {"ScatterElements", read_scatter},
      {"ScatterND", read_scatter},
      {"Slice", read_slice},
      {"SpaceToDepth", read_space_to_depth},
      {"Split", read_split},
      {"Squeeze", read_squeeze},
      {"Tile", read_tile},
      {"Transpose", read_transpose},
      {"Unsqueeze", read_unsqueeze},
      {"Upsample", read_resize},

      {"GRU", read_gru},
      {"LSTM", read_lstm},
      {"RNN", read_rnn},
  };
  return table;
}

}  // namespace

Rule rule_of(std::string_view type) {
  const auto found = rules().find(type);
  return found == rules().end() ? nullptr : found->second;
}

}  // namespace pimsweep::workload::import
