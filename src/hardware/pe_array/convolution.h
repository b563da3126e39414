#pragma once

#include <cstdint>

#include "base/checked.h"

namespace pimsweep::hardware::pe_array {

/// A convolutional or fully connected layer for one batch. Channels are those of the whole layer, that is, of all
/// groups.
struct ConvolutionLayer {
  std::int64_t batch = 1;
  std::int64_t in_channels = 1;
  std::int64_t out_channels = 1;
  std::int64_t groups = 1;
  std::int64_t kernel_h = 1;
  std::int64_t kernel_w = 1;
  std::int64_t out_h = 1;
  std::int64_t out_w = 1;
  std::int64_t stride = 1;
  /// Rows and columns of zeros on each side; they are not stored, so they are never moved.
  std::int64_t padding_h = 0;
  std::int64_t padding_w = 0;
};

ConvolutionLayer fully_connected(std::int64_t batch, std::int64_t inputs, std::int64_t outputs);

/// One of the three computations of a layer in training, as loops for a PE array:
///
///     out[g][n][m][.] += in[g][n][c][.] * filter[g][m][c][k]
///
/// for each image n, filter m, channel c and kernel element k, at each of windows_h x windows_w positions.
struct ConvolutionProduct {
  std::int64_t groups = 1;
  /// Counts per group.
  std::int64_t images = 1;
  std::int64_t channels = 1;
  std::int64_t filters = 1;
  std::int64_t kernel_h = 1;
  std::int64_t kernel_w = 1;
  std::int64_t windows_h = 1;
  std::int64_t windows_w = 1;
  /// Sizes of maps as stored.
  std::int64_t in_h = 1;
  std::int64_t in_w = 1;
  std::int64_t out_h = 1;
  std::int64_t out_w = 1;
  /// Input rows between neighboring windows and between neighboring kernel rows; at most one of them is above 1.
  std::int64_t window_step = 1;
  std::int64_t kernel_step = 1;
  /// Kernel rows that meet the same input row in neighboring output rows: above 1 only in the backward pass of a
  /// strided convolution.
  std::int64_t kernel_rows_per_input_row = 1;

  std::int64_t macs() const;
  std::int64_t input_words() const { return Count{groups} * images * channels * in_h * in_w; }
  std::int64_t filter_words() const { return Count{groups} * filters * channels * kernel_h * kernel_w; }
  std::int64_t output_words() const { return Count{groups} * images * filters * out_h * out_w; }
  /// Stored input rows under `windows` neighboring rows of windows, for `kernel_rows` neighboring kernel rows.
  std::int64_t input_rows(std::int64_t windows, std::int64_t kernel_rows) const;
};

/// The computations of a training step (HyPar, Eqs. 1-3). All three have the multiply-accumulates of the layer: zeros
/// between and around the values of a map are skipped.
struct TrainingProducts {
  ConvolutionProduct forward;
  /// Errors of the input from errors of the output: input and output are exchanged.
  ConvolutionProduct backward;
  /// Weight gradient: the error map is the kernel, the kernel is the output; the sum is over the batch, and input
  /// channels are `images`.
  ConvolutionProduct gradient;
};

/// Throws std::invalid_argument if a size is not positive, the padding is negative or as large as the kernel, or the
/// groups do not divide both numbers of channels.
TrainingProducts training_products(const ConvolutionLayer& layer);

}  // namespace pimsweep::hardware::pe_array
