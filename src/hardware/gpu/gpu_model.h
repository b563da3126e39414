#pragma once

#include <limits>
#include <vector>

#include "hardware/convolution_shape.h"
#include "hardware/gpu/device.h"
#include "hardware/gpu/kernel_cost.h"
#include "hardware/gpu/tiled_gemm.h"

namespace pimsweep::hardware::gpu {

using hardware::ConvolutionShape;
using hardware::Pass;

/// A recurrent layer over a whole sequence, without the GEMM of its inputs (cuDNN's skip-input mode, which DeepBench
/// uses). `gates`: 1 vanilla, 3 GRU, 4 LSTM.
struct RecurrentShape {
  double gates = 1;
  double hidden = 1;
  double batch = 1;
  double steps = 1;

  double operations() const { return 2 * gates * hidden * hidden * batch * steps; }
};

/// Criterion by which the library chooses a kernel.
struct Choice {
  /// Launches are queued behind other kernels, so the least work is best rather than the shortest time of the kernel
  /// alone.
  bool launches_queued = false;
  /// Kernels with more launches are excluded, unless no kernel has fewer.
  double max_launches = std::numeric_limits<double>::infinity();

  double seconds(const KernelCost& cost) const { return launches_queued ? cost.work_seconds : cost.seconds; }
  /// Maximum number of splits of the depth of a GEMM; a split takes a second launch, in addition to `others`.
  int splits(int max_splits, double others = 0) const { return others + 2 <= max_launches ? max_splits : 1; }
};

/// Kernel times on one device. Holds the tables that do not depend on the layer; its calls do not allocate.
class GpuModel {
 public:
  explicit GpuModel(const Device& device);
  const Device& device() const { return device_; }

  /// C[rows, columns] = A[rows, depth] B[depth, columns]. Transposition makes no difference in this model.
  KernelCost gemm(Precision precision, double rows, double columns, double depth, const Choice& choice = {}) const;
  KernelCost convolution(Precision precision, const ConvolutionShape& shape, Pass pass,
                         const Choice& choice = {}) const;
  KernelCost recurrent(Precision precision, const RecurrentShape& shape, Pass pass) const;
  /// One filter per channel; `filters` is ignored.
  KernelCost depthwise(Precision precision, const ConvolutionShape& shape) const;
  KernelCost pooling(Precision precision, const ConvolutionShape& shape) const;
  /// One operation per element and input; reads `inputs` tensors and writes one.
  KernelCost elementwise(Precision precision, double elements, double inputs) const;

  Energy energy(const KernelCost& cost) const;

 private:
  enum Kind { fp32, half_storage, half_math, tensor, int8, int8_tensor, kinds };
  /// The tiles of one kind of arithmetic, by their use in the library.
  struct Tables {
    MathPath path;
    std::vector<PreparedTile> gemm;
    std::vector<PreparedTile> convolution;
    std::vector<PreparedTile> weights;
    std::vector<PreparedTile> recurrent;
  };

  Kind kind_of(Precision precision) const;
  /// The cost with its time multiplied by a factor, but at least the time of `operations` and `bytes` at the peaks of
  /// the GPU. These are counts of the layer, independent of the kernel: a faster GPU may switch to a kernel with more
  /// of them.
  KernelCost with_error(KernelCost cost, double factor, double operations, double bytes) const;
  KernelCost fastest_convolution(Precision precision, const ConvolutionShape& shape, Pass pass,
                                 const Choice& choice) const;
  KernelCost steps(Precision precision, const RecurrentShape& shape, Pass pass) const;
  KernelCost streaming(double bytes, double load_words, double operations) const;
  KernelCost skinny_gemm(const Tables& tables, double rows, double columns, double depth) const;
  KernelCost gemm(Kind kind, double rows, double columns, double depth, const Choice& choice) const;
  KernelCost implicit_gemm(Kind kind, const ConvolutionShape& shape, Pass pass, const Choice& choice) const;
  KernelCost winograd(Kind kind, const ConvolutionShape& shape, Pass pass, const Choice& choice) const;
  KernelCost winograd_fused(const ConvolutionShape& shape, Pass pass, double value_bytes) const;
  KernelCost fft(const ConvolutionShape& shape, Pass pass, double value_bytes, const Choice& choice) const;
  KernelCost scatter(const ConvolutionShape& shape, const Choice& choice) const;
  KernelCost pixelwise(const ConvolutionShape& shape) const;
  /// True if the old library computes the pass pixel by pixel; and if it may scatter.
  bool is_pixelwise(Kind kind, const ConvolutionShape& shape, Pass pass) const;
  bool may_scatter(Kind kind, const ConvolutionShape& shape, Pass pass) const;

  Device device_;
  /// Operations per second of the fastest units, not throttled.
  double peak_rate_ = 0;
  Tables tables_[kinds];
};

}  // namespace pimsweep::hardware::gpu
