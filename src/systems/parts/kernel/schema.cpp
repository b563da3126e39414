#include "systems/parts/kernel/schema.h"

#include "systems/gpu_axes.h"
#include "systems/sheet_axes.h"

namespace pimsweep::systems::parts::kernel {

Schema make_schema() {
  Schema schema;
  schema.name = "kernel";
  schema.doc = "Time and energy of single GPU kernels";
  schema.version = 1;
  // In the order of sheet::AxisIndex and AxisIndex.
  schema.axes = sheet::axes({"gemm", "conv", "rnn", "depthwise", "elementwise", "pool"}, "card",
                            "the kernel that rate, bound, algorithm, bytes and energy are told of");
  schema.axes.push_back(sheet::size_axis("memory_channels", 0, 0, "memory channels left to the GPU; 0: all"));
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

}  // namespace pimsweep::systems::parts::kernel
