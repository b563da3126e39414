#include "systems/kernel/schema.h"

#include <utility>

namespace pimsweep::kernel {

namespace {

Axis text_axis(std::string name, std::optional<Value> default_value, std::vector<std::string> choices,
               std::string doc) {
  return {std::move(name), ValueType::text, "1", std::move(default_value), {}, {}, std::move(choices), std::move(doc)};
}

Axis count_axis(std::string name, std::int64_t default_value, double min, std::string doc) {
  return {std::move(name), ValueType::integer, "1", Value{default_value}, min, 1e8, {}, std::move(doc)};
}

Axis hardware_axis(std::string key, std::string unit, double min, double max, std::string doc) {
  return {"hardware." + std::move(key), ValueType::real, std::move(unit), {}, min, max, {}, std::move(doc)};
}

Axis hardware_count(std::string key, double max, std::string doc) {
  return {"hardware." + std::move(key), ValueType::integer, "1", {}, 1, max, {}, std::move(doc)};
}

Axis optional(Axis axis, double value) {
  axis.default_value = Value{value};
  return axis;
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
      text_axis("precision", Value{std::string("fp32")}, {"fp32", "fp16-in/fp32-math", "fp16-in/tensor-mixed", "int8"},
                "numbers in memory / arithmetic"),
      text_axis("pass", Value{std::string("forward")}, {"forward", "backward_inputs", "backward_weights"},
                "the kernel that rate, bound, algorithm, bytes and energy are told of"),
      count_axis("M", 1, 1, "gemm: rows of the result"),
      count_axis("N", 1, 1, "gemm: columns of the result; else images of the batch"),
      count_axis("K", 1, 1, "gemm: depth of the product; conv: filters"),
      text_axis("trans_a", Value{std::string("N")}, {"N", "T"}, "gemm: whether A is transposed; makes no difference"),
      text_axis("trans_b", Value{std::string("N")}, {"N", "T"}, "gemm: whether B is transposed; makes no difference"),
      count_axis("W", 1, 1, "width of the input"),
      count_axis("H", 1, 1, "height of the input"),
      count_axis("C", 1, 1, "channels of the input"),
      count_axis("filter_h", 1, 1, "height of the filter"),
      count_axis("filter_w", 1, 1, "width of the filter"),
      count_axis("pad_h", 0, 0, "rows of padding above and below"),
      count_axis("pad_w", 0, 0, "columns of padding left and right"),
      count_axis("stride_h", 1, 1, "rows from one output to the next"),
      count_axis("stride_w", 1, 1, "columns from one output to the next"),
      text_axis("cell", Value{std::string("LSTM")}, {"Vanilla", "LSTM", "GRU"}, "rnn: kind of cell"),
      count_axis("hidden", 1, 1, "rnn: size of the state"),
      count_axis("batch", 1, 1, "rnn: sequences processed together"),
      count_axis("timesteps", 1, 1, "rnn: length of the sequences"),
      count_axis("inputs", 1, 1, "elementwise: tensors that are read; each has N C H W elements"),
      count_axis("memory_channels", 0, 0, "memory channels left to the GPU; 0: all"),
      text_axis("hardware.card", std::nullopt, {}, "name of the card, as in the measured rows"),
      text_axis("hardware.library", std::nullopt, {"cuda-8", "cuda-10"},
                "generation of cuBLAS and cuDNN: CUDA 8 with cuDNN 6, or CUDA 10 with cuDNN 7"),
      hardware_axis("clock", "Hz", 1e6, 1e11, "boost clock"),
      hardware_count("sm.count", 4096, "multiprocessors"),
      hardware_axis("sm.fp32_rate", "1", 1, 1e6, "fp32 operations of a multiprocessor in a cycle"),
      hardware_axis("sm.tensor_rate", "1", 0, 1e6, "the same of its tensor cores, fp16 in and fp32 out; 0: none"),
      hardware_axis("sm.int8_rate", "1", 0, 1e6, "the same of dp4a instructions; 0: none"),
      hardware_axis("sm.int8_tensor_rate", "1", 0, 1e6, "the same of tensor cores on int8; 0: none"),
      hardware_axis("sm.load_lanes", "1", 1, 1e4, "words that a multiprocessor loads in a cycle"),
      hardware_count("sm.registers", 1e7, "registers of 32 bit of a multiprocessor"),
      hardware_axis("sm.shared_memory", "B", 1024, 1e9, "shared memory of a multiprocessor"),
      hardware_count("sm.threads", 65536, "threads that a multiprocessor may hold"),
      hardware_count("sm.blocks", 65536, "thread blocks that a multiprocessor may hold"),
      hardware_axis("l2.capacity", "B", 1024, 1e12, "second-level cache"),
      hardware_axis("l2.bytes_per_cycle", "B", 1, 1e9, "what it delivers in a cycle"),
      hardware_axis("memory.bandwidth", "B/s", 1e6, 1e16, "of all channels together"),
      hardware_count("memory.channels", 65536, "memory channels"),
      hardware_axis("memory.efficiency", "1", 0.01, 1, "share of the bandwidth that kernels reach"),
      hardware_axis("memory.latency_cycles", "1", 1, 1e6, "clock cycles of a trip to memory"),
      text_axis("hardware.fitted.on", std::nullopt, {"this card", "another card"},
                "whose measured times the fitted constants come from"),
      hardware_axis("fitted.sustained", "1", 0.01, 1, "share of the peak rate that is sustained under load"),
      hardware_axis("fitted.launch", "s", 0, 1, "time of a kernel that does nothing"),
      hardware_axis("fitted.stall", "1", 0, 100,
                    "time that a thread block's main loop stands still, per time in which it multiplies"),
      optional(hardware_axis("fitted.skinny", "1", 0.001, 1,
                             "cuda-8: share of the peak that products with at most 16 columns reach"),
               1.0),
      hardware_axis("power.tdp", "W", 1, 1e5, "thermal design power"),
      hardware_axis("power.idle", "W", 0, 1e5, "power when nothing runs"),
      hardware_axis("energy.fp32", "J", 0, 1, "of an fp32 operation"),
      hardware_axis("energy.tensor", "J", 0, 1, "of a tensor-core operation on fp16; one on int8 takes half"),
      hardware_axis("energy.int8", "J", 0, 1, "of an int8 operation of dp4a"),
      hardware_axis("energy.l2", "J/B", 0, 1, "of a byte from the second-level cache"),
      hardware_axis("energy.memory", "J/B", 0, 1, "of a byte from memory"),
  };
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
