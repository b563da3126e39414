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

/// What the library chooses a kernel by.
struct Choice {
  /// Launches are queued behind the work of other kernels: the least work wins, not the shortest time of the kernel
  /// alone.
  bool launches_queued = false;
  /// Kernels with more launches are left out, unless no kernel has fewer.
  double max_launches = std::numeric_limits<double>::infinity();

  double seconds(const KernelCost& cost) const { return launches_queued ? cost.work_seconds : cost.seconds; }
  /// How often the depth of a product may be split, which takes a second launch, beside `others`.
  int splits(int max_splits, double others = 0) const { return others + 2 <= max_launches ? max_splits : 1; }
};

/// Kernel times on one device. Holds the tables that do not depend on the layer; its calls allocate nothing.
class GpuModel {
 public:
  explicit GpuModel(const Device& device);
  const Device& device() const { return device_; }

  /// C[rows, columns] = A[rows, depth] B[depth, columns]. Transposition makes no difference in this model.
  KernelCost gemm(Precision precision, double rows, double columns, double depth, const Choice& choice = {}) const;
  KernelCost convolution(Precision precision, const ConvolutionShape& shape, Pass pass,
                         const Choice& choice = {}) const;
  KernelCost recurrent(Precision precision, const RecurrentShape& shape, Pass pass) const;
  /// One filter for each channel; `filters` is ignored.
  KernelCost depthwise(Precision precision, const ConvolutionShape& shape) const;
  KernelCost pooling(Precision precision, const ConvolutionShape& shape) const;
  /// One operation per element and input; reads `inputs` tensors and writes one.
  KernelCost elementwise(Precision precision, double elements, double inputs) const;

  Energy energy(const KernelCost& cost) const;

 private:
  enum Kind { fp32, half_storage, half_math, tensor, int8, int8_tensor, kinds };
  /// The tiles of one kind of arithmetic, by what the library uses them for.
  struct Tables {
    MathPath path;
    std::vector<PreparedTile> gemm;
    std::vector<PreparedTile> convolution;
    std::vector<PreparedTile> weights;
    std::vector<PreparedTile> recurrent;
  };

  Kind kind_of(Precision precision) const;
  /// The cost with its time multiplied by a factor, but never below what `operations` and `bytes` take at the peaks of
  /// the card. These are the layer's, whatever the kernel: a better card may change to a kernel with more of them.
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
  /// Whether the old library computes the pass pixel by pixel, and whether it may scatter.
  bool is_pixelwise(Kind kind, const ConvolutionShape& shape, Pass pass) const;
  bool may_scatter(Kind kind, const ConvolutionShape& shape, Pass pass) const;

  Device device_;
  /// Operations in a second of the fastest units, not throttled.
  double peak_rate_ = 0;
  Tables tables_[kinds];
};

}  // namespace pimsweep::hardware::gpu
