#pragma once

#include "hardware/convolution_shape.h"
#include "hardware/manycore/device.h"
#include "hardware/manycore/work.h"

namespace pimsweep::hardware::manycore {

/// Algorithm for the input gradients of strided convolutions.
enum class Library {
  /// MKL 2017 and LIBXSMM 1.5: im2col, one image per thread.
  mkl_2017,
  /// MKL-DNN 0.14 (TensorFlow 1.9): direct.
  mkl_dnn,
};

using hardware::ConvolutionShape;
using hardware::Pass;

/// fp32 operations as loops over vectors of the device (docs/manycore.md explains which loop is split and why).
class Operations {
 public:
  Operations(const Device& device, Library library) : device_(device), library_(library) {}

  /// C[rows, columns] = A[rows, depth] B[depth, columns].
  Work gemm(double rows, double columns, double depth) const;
  Work convolution(const ConvolutionShape& shape, Pass pass) const;
  /// A recurrent layer over a whole sequence without the GEMM of its inputs. `gates`: 1 vanilla, 3 GRU, 4 LSTM.
  Work recurrent(double gates, double hidden, double batch, double steps, Pass pass) const;
  /// Reads `inputs` tensors and writes `outputs`, with `instructions` vector instructions in between.
  Work elementwise(double elements, double inputs, double outputs, double instructions) const;
  /// `filters` is ignored.
  Work pooling(const ConvolutionShape& shape) const;
  Work bias(double pixels, double channels) const;
  Work bias_gradient(double pixels, double channels) const;
  /// Sums of values and squares, then the normalization.
  Work batch_norm(double pixels, double channels) const;
  /// Update of parameters with `states` state values per parameter (0: gradient descent, 2: Adam).
  Work optimizer(double parameters, double states) const;

  /// An operation inside TensorFlow: tensors are converted to the library's layout and back, and the runtime's own
  /// thread touches `bytes` of them.
  Work in_tensorflow(Work work, double elements) const;

 private:
  double efficiency(double vectors_loaded, double multiply_adds) const;
  /// A channel vector per row chunk and a pixel per depth chunk.
  Work channel_sums(double pixels, double channels, double instructions, double passes) const;
  Work direct(const ConvolutionShape& shape, bool forward) const;
  Work direct_weights(const ConvolutionShape& shape) const;
  Work image_columns(const ConvolutionShape& shape) const;

  Device device_;
  Library library_;
};

}  // namespace pimsweep::hardware::manycore
