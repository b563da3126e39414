#include "systems/kernel/schema.h"

#include <utility>

#include "systems/axes.h"
#include "systems/gpu_axes.h"

namespace pimsweep::kernel {

namespace {

Axis size_axis(std::string name, std::int64_t default_value, double min, std::string doc) {
  return count_axis(std::move(name), Value{default_value}, min, 1e8, std::move(doc));
}

}  // namespace

Schema make_schema() {
  Schema schema;
  schema.name = "kernel";
  schema.doc = "Time and energy of single GPU kernels";
  schema.version = 1;
  // In the order of AxisIndex.
  schema.axes = {
      text_axis("kind", std::nullopt, {"gemm", "conv", "rnn", "depthwise", "elementwise", "pool"}, "what is computed"),
      text_axis("device", Value{std::string()}, {},
                "card that a measured row belongs to; must be the hardware file's, empty: no row"),
      precision_axis(),
      text_axis("pass", Value{std::string("forward")}, {"forward", "backward_inputs", "backward_weights"},
                "the kernel that rate, bound, algorithm, bytes and energy are told of"),
      size_axis("M", 1, 1, "gemm: rows of the result"),
      size_axis("N", 1, 1, "gemm: columns of the result; else images of the batch"),
      size_axis("K", 1, 1, "gemm: depth of the product; conv: filters"),
      text_axis("trans_a", Value{std::string("N")}, {"N", "T"}, "gemm: whether A is transposed; makes no difference"),
      text_axis("trans_b", Value{std::string("N")}, {"N", "T"}, "gemm: whether B is transposed; makes no difference"),
      size_axis("W", 1, 1, "width of the input"),
      size_axis("H", 1, 1, "height of the input"),
      size_axis("C", 1, 1, "channels of the input"),
      size_axis("filter_h", 1, 1, "height of the filter"),
      size_axis("filter_w", 1, 1, "width of the filter"),
      size_axis("pad_h", 0, 0, "rows of padding above and below"),
      size_axis("pad_w", 0, 0, "columns of padding left and right"),
      size_axis("stride_h", 1, 1, "rows from one output to the next"),
      size_axis("stride_w", 1, 1, "columns from one output to the next"),
      text_axis("cell", Value{std::string("LSTM")}, {"Vanilla", "LSTM", "GRU"}, "rnn: kind of cell"),
      size_axis("hidden", 1, 1, "rnn: size of the state"),
      size_axis("batch", 1, 1, "rnn: sequences processed together"),
      size_axis("timesteps", 1, 1, "rnn: length of the sequences"),
      size_axis("inputs", 1, 1, "elementwise: tensors that are read; each has N C H W elements"),
      size_axis("memory_channels", 0, 0, "memory channels left to the GPU; 0: all"),
  };
  append_gpu_axes(schema.axes, "");
  const ValueType text = ValueType::text;
  // In the order of MetricIndex.
  schema.metrics = {
      {"time", "s", "time of the kernel of `pass`"},
      {"time_ms", "1", "gemm: the same in milliseconds, as the sheets have it"},
      {"forward_ms", "1", "conv, rnn and the rest: forward, in milliseconds"},
      {"backward_inputs_ms", "1", "conv, rnn: gradients of the inputs, in milliseconds; missing for int8"},
      {"backward_weights_ms", "1", "conv, rnn: gradients of the weights, in milliseconds; missing for int8"},
      {"backward_total_ms", "1", "conv, rnn: both gradients, in milliseconds; missing for int8"},
      {"achieved_rate", "FLOP/s", "operations by time"},
      {"peak_share", "1", "achieved_rate by the peak of the units used; above 1 where an algorithm saves products"},
      {"bound", "1", "what takes the time: math, memory, cache or launch", text},
      {"algorithm", "1", "what the library takes", text},
      {"tile", "1", "rows x columns of a thread block's part of the product; empty if none", text},
      {"split", "1", "parts into which the depth is split"},
      {"launches", "1", "kernels launched"},
      {"operations", "1", "operations of the layer as defined, a multiply-add counts two"},
      {"executed_operations", "1", "operations carried out, with padding"},
      {"memory_bytes", "B", "bytes to and from memory"},
      {"cache_bytes", "B", "bytes to and from the second-level cache"},
      {"energy", "J", "sum of the four parts below"},
      {"idle_energy", "J", "idle power over the time"},
      {"math_energy", "J", "of executed_operations"},
      {"cache_energy", "J", "of cache_bytes"},
      {"memory_energy", "J", "of memory_bytes"},
      {"power", "W", "energy by time"},
      {"caveat", "1", "what to know about this result; empty if nothing", text},
  };
  return schema;
}

}  // namespace pimsweep::kernel
