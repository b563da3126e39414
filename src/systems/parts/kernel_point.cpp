#include "systems/parts/kernel_point.h"

#include <vector>

namespace pimsweep::systems::parts {

void add_axes(AxisList& axes, KernelSettings& s) {
  std::vector<Word<devices::OperationKind>> kinds(devices::operation_words.begin(), devices::operation_words.end());
  std::erase_if(kinds, [](const auto& kind) { return devices::is_of_training_step(kind.value); });
  add_axes(axes, s.language);
  devices::add_sheet_axes(axes, s.sheet, kinds, "GPU",
                          "pass of the layer whose rate, bound, algorithm, bytes and energy are given");
  axes.count(s.memory_channels, "memory_channels", 0, 1e8, "memory channels left to the GPU; 0: all", 0);
  devices::add_gpu_axes(axes, "", s.card);
  devices::add_optional_serving_axes(axes, "", s.language_gpu);
}

void add_metrics(ColumnList& metrics, const KernelResult& r) {
  metrics.quantity(r.time, "time", "s", "time of the kernel of the chosen pass");
  devices::add_sheet_times(metrics, r.sheet, "kinds other than conv and rnn, or precision int8");
  metrics.quantity(r.achieved_rate, "achieved_rate", "FLOP/s", "operations of the layer by time")
      .quantity(r.peak_share, "peak_share", "1",
                "achieved rate by the peak of the units used; above 1 where an algorithm saves multiplications")
      .text(r.bound, "bound", "resource that bounds the time: math, memory, cache or launch")
      .text(r.algorithm, "algorithm", "algorithm that the library takes")
      .text(r.tile, "tile", "rows x columns of a thread block's part of the GEMM; empty if none")
      .count(r.split, "split", "parts into which the depth of the GEMM is split")
      .count(r.launches, "launches", "kernels launched for the chosen pass")
      .quantity(r.operations, "operations", "1", "operations of the layer as defined; a multiply-add counts two")
      .quantity(r.executed_operations, "executed_operations", "1", "operations carried out, padding included")
      .quantity(r.memory_bytes, "memory_bytes", "B", "bytes to and from memory")
      .quantity(r.cache_bytes, "cache_bytes", "B", "bytes to and from the second-level cache")
      .quantity(r.energy, "energy", "J", "energy of the kernel: idle, math, cache and memory")
      .quantity(r.parts.idle, "idle_energy", "J", "energy of the idle power over the time")
      .quantity(r.parts.math, "math_energy", "J", "energy of the operations carried out")
      .quantity(r.parts.cache, "cache_energy", "J", "energy of the bytes to and from the second-level cache")
      .quantity(r.parts.memory, "memory_energy", "J", "energy of the bytes to and from memory")
      .quantity(r.power, "power", "W", "mean power: energy by time")
      .text(r.caveat, "caveat", "reasons why measured times do not support the result; empty if there are none");
}

}  // namespace pimsweep::systems::parts
