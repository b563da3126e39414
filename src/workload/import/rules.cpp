#include "workload/import/rules.h"

#include <algorithm>
#include <array>

namespace pimsweep::workload::import {

namespace {

/// Node type and the rule that reads it.
struct KnownType {
  std::string_view type;
  Rule rule;
};

/// All supported node types; a new one adds a line here.
constexpr std::array known_types{
    KnownType{"Conv", read_convolution},
    KnownType{"ConvTranspose", read_transposed_convolution},
    KnownType{"MaxPool", read_max_pool},
    KnownType{"AveragePool", read_average_pool},
    KnownType{"LpPool", read_average_pool},
    KnownType{"GlobalAveragePool", read_global_pool},
    KnownType{"GlobalMaxPool", read_global_pool},
    KnownType{"GlobalLpPool", read_global_pool},

    KnownType{"MatMul", read_matmul},
    KnownType{"com.microsoft.MatMulNBits", read_packed_matmul},
    KnownType{"Gemm", read_gemm},
    KnownType{"Einsum", read_einsum},

    KnownType{"Abs", read_function},
    KnownType{"Acos", read_function},
    KnownType{"Acosh", read_function},
    KnownType{"Asin", read_function},
    KnownType{"Asinh", read_function},
    KnownType{"Atan", read_function},
    KnownType{"Atanh", read_function},
    KnownType{"Ceil", read_function},
    KnownType{"Celu", read_function},
    KnownType{"Cos", read_function},
    KnownType{"Cosh", read_function},
    KnownType{"CumSum", read_function},
    KnownType{"Elu", read_function},
    KnownType{"Erf", read_function},
    KnownType{"Exp", read_function},
    KnownType{"Floor", read_function},
    KnownType{"HardSigmoid", read_function},
    KnownType{"HardSwish", read_function},
    KnownType{"Hardmax", read_softmax},
    KnownType{"IsInf", read_function},
    KnownType{"IsNaN", read_function},
    KnownType{"LeakyRelu", read_function},
    KnownType{"Log", read_function},
    KnownType{"Neg", read_function},
    KnownType{"Not", read_function},
    KnownType{"Reciprocal", read_function},
    KnownType{"Relu", read_function},
    KnownType{"Round", read_function},
    KnownType{"Selu", read_function},
    KnownType{"Sigmoid", read_function},
    KnownType{"Sign", read_function},
    KnownType{"Sin", read_function},
    KnownType{"Sinh", read_function},
    KnownType{"Softplus", read_function},
    KnownType{"Softsign", read_function},
    KnownType{"Sqrt", read_function},
    KnownType{"Tan", read_function},
    KnownType{"Tanh", read_function},
    KnownType{"ThresholdedRelu", read_function},
    KnownType{"Trilu", read_function},
    KnownType{"BitwiseNot", read_function},
    KnownType{"Gelu", read_function},
    KnownType{"Mish", read_function},
    KnownType{"RotaryEmbedding", read_function},
    KnownType{"Swish", read_function},
    KnownType{"com.microsoft.Gelu", read_function},
    KnownType{"com.microsoft.QuickGelu", read_function},
    KnownType{"com.microsoft.RotaryEmbedding", read_function},
    KnownType{"Clip", read_clip},
    KnownType{"PRelu", read_prelu},

    KnownType{"Add", read_binary},
    KnownType{"And", read_binary},
    KnownType{"BitShift", read_binary},
    KnownType{"BitwiseAnd", read_binary},
    KnownType{"BitwiseOr", read_binary},
    KnownType{"BitwiseXor", read_binary},
    KnownType{"Div", read_binary},
    KnownType{"Equal", read_binary},
    KnownType{"Greater", read_binary},
    KnownType{"GreaterOrEqual", read_binary},
    KnownType{"Less", read_binary},
    KnownType{"LessOrEqual", read_binary},
    KnownType{"Mod", read_binary},
    KnownType{"Mul", read_binary},
    KnownType{"Or", read_binary},
    KnownType{"Pow", read_binary},
    KnownType{"Sub", read_binary},
    KnownType{"Xor", read_binary},
    KnownType{"Max", read_many},
    KnownType{"Mean", read_many},
    KnownType{"Min", read_many},
    KnownType{"Sum", read_many},
    KnownType{"Where", read_where},

    KnownType{"BatchNormalization", read_batch_norm},
    KnownType{"GroupNormalization", read_layer_norm},
    KnownType{"InstanceNormalization", read_instance_norm},
    KnownType{"LayerNormalization", read_layer_norm},
    KnownType{"RMSNormalization", read_rms_norm},
    KnownType{"SimplifiedLayerNormalization", read_rms_norm},
    KnownType{"com.microsoft.GroupNorm", read_layer_norm},
    KnownType{"com.microsoft.SimplifiedLayerNormalization", read_rms_norm},
    KnownType{"LRN", read_response_norm},
    KnownType{"LpNormalization", read_instance_norm},
    KnownType{"MeanVarianceNormalization", read_instance_norm},
    KnownType{"LogSoftmax", read_softmax},
    KnownType{"Softmax", read_softmax},

    KnownType{"ArgMax", read_reduction},
    KnownType{"ArgMin", read_reduction},
    KnownType{"ReduceL1", read_reduction},
    KnownType{"ReduceL2", read_reduction},
    KnownType{"ReduceLogSum", read_reduction},
    KnownType{"ReduceLogSumExp", read_reduction},
    KnownType{"ReduceMax", read_reduction},
    KnownType{"ReduceMean", read_reduction},
    KnownType{"ReduceMin", read_reduction},
    KnownType{"ReduceProd", read_reduction},
    KnownType{"ReduceSum", read_reduction},
    KnownType{"ReduceSumSquare", read_reduction},

    KnownType{"Cast", read_cast},
    KnownType{"CastLike", read_alias},
    KnownType{"Dropout", read_alias},
    KnownType{"Identity", read_alias},
    KnownType{"Constant", read_constant},
    KnownType{"ConstantOfShape", read_constant_of_shape},
    KnownType{"Range", read_range},
    KnownType{"Shape", read_shape},
    KnownType{"Size", read_shape},

    KnownType{"Concat", read_concat},
    KnownType{"DepthToSpace", read_depth_to_space},
    KnownType{"Expand", read_expand},
    KnownType{"Flatten", read_flatten},
    KnownType{"Gather", read_gather},
    KnownType{"Pad", read_pad},
    KnownType{"Reshape", read_reshape},
    KnownType{"Resize", read_resize},
    KnownType{"ScatterElements", read_scatter},
    KnownType{"ScatterND", read_scatter},
    KnownType{"Slice", read_slice},
    KnownType{"SpaceToDepth", read_space_to_depth},
    KnownType{"Split", read_split},
    KnownType{"Squeeze", read_squeeze},
    KnownType{"Tile", read_tile},
    KnownType{"Transpose", read_transpose},
    KnownType{"Unsqueeze", read_unsqueeze},
    KnownType{"Upsample", read_resize},

    KnownType{"GRU", read_gru},
    KnownType{"LSTM", read_lstm},
    KnownType{"RNN", read_rnn},
};

}  // namespace

Rule rule_of(std::string_view type) {
  const auto* found =
      std::find_if(known_types.begin(), known_types.end(), [&](const KnownType& known) { return known.type == type; });
  return found == known_types.end() ? nullptr : found->rule;
}

}  // namespace pimsweep::workload::import
