#include <algorithm>

#include "hardware/gpu/gpu_model.h"

namespace pimsweep::hardware::gpu {

// Time steps depend on each other: a GEMM and an element-wise kernel for each. Gradients of the weights are one GEMM
// over all steps (Appleyard et al., 2016).
KernelCost GpuModel::steps(Precision precision, const RecurrentShape& s, Pass pass) const {
  constexpr double min_tiled_batch = 17;
  // cuDNN has no integer recurrent layer: the inference sheets' rows are fp32.
  const Kind kind = precision == Precision::int8 ? fp32 : kind_of(precision);
  const Tables& tables = tables_[kind];
  const double rows = s.gates * s.hidden;
  if (pass == Pass::backward_weights) return gemm(kind, rows, s.hidden, s.batch * s.steps, {});

  const double outputs = pass == Pass::forward ? rows : s.hidden;
  const double depth = pass == Pass::forward ? s.hidden : rows;
  KernelCost step;
  if (device_.library == Library::cuda8 && s.batch >= min_tiled_batch) {
    // cuDNN 6 takes its large tiles and does not split the depth.
    const GemmShape shape{.rows = outputs,
                          .columns = s.batch,
                          .depth = depth,
                          .a_bytes = outputs * depth * tables.path.input_bytes,
                          .b_bytes = s.batch * depth * tables.path.input_bytes,
                          .c_bytes = outputs * s.batch * tables.path.output_bytes};
    step =
        tiled_gemm(device_, tables.path, {.tiles = tables.recurrent.empty() ? tables.gemm : tables.recurrent}, shape);
  } else {
    step = gemm(kind, outputs, s.batch, depth, {});
  }
  step.then(streaming(2 * rows * s.batch * tables.path.input_bytes, 0, rows * s.batch));
  KernelCost all;
  all.then(step, s.steps);
  all.algorithm = Algorithm::steps;
  return all;
}

}  // namespace pimsweep::hardware::gpu
