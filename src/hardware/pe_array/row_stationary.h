#pragma once

#include <cstdint>

#include "hardware/pe_array/convolution.h"
#include "hardware/pe_array/convolution_tiling.h"

namespace pimsweep::hardware::pe_array {

/// A row-stationary array as in Eyeriss (Chen et al., ISCA 2016 and JSSC 52(1), 2017): rows x cols processing elements,
/// each with its own scratchpads, and a buffer between the array and DRAM. Sizes in words.
struct RowStationaryArray {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t buffer_words = 0;
  /// Scratchpads of one PE.
  std::int64_t input_words = 0;
  std::int64_t filter_words = 0;
  std::int64_t psum_words = 0;
  /// Fold kernels wherever that saves cycles, at the price of more partial sums moved; otherwise, as in Eyeriss, only
  /// kernels with more rows than the array are folded, as in most gradient computations.
  bool folds_all_kernels = false;

  std::int64_t pes() const { return rows * cols; }
};

/// Mapping of a convolution onto the array. The PE of kernel row i and window row j convolves rows: windows_w x
/// kernel_w multiply-accumulates, one per cycle. kernel_rows x window_rows such PEs are a PE set; the array holds
/// several. (In JSSC 2017: window_rows e, channel_sets r, filter_sets t, channels_per_pe q, filters_per_pe p,
/// images_per_pass n.)
struct RowStationarySets {
  std::int64_t kernel_rows = 1;
  std::int64_t window_rows = 1;
  /// PE sets that work in parallel on other channels, filters, images and groups.
  std::int64_t channel_sets = 1;
  std::int64_t filter_sets = 1;
  std::int64_t image_sets = 1;
  std::int64_t group_sets = 1;
  /// Work that one PE does sequentially within a pass.
  std::int64_t channels_per_pe = 1;
  std::int64_t filters_per_pe = 1;
  std::int64_t taps_per_pe = 1;
  /// Number of images for which filters stay in the PEs.
  std::int64_t images_per_pass = 1;

  std::int64_t active_pes() const {
    return kernel_rows * window_rows * channel_sets * filter_sets * image_sets * group_sets;
  }
  friend bool operator==(const RowStationarySets&, const RowStationarySets&) = default;
};

/// Cycles of a convolution on these sets, with every PE working in every step:
///
///     ceil(R / kernel_rows) ceil(E / window_rows) ceil(C / channel_sets) ceil(M / filter_sets) ceil(N / image_sets)
///         ceil(G / group_sets) windows_w kernel_w
///
/// Filling and draining the array, waiting for the buffer, and zeros that could be skipped are not counted.
std::int64_t row_stationary_cycles(const ConvolutionProduct& product, const RowStationarySets& sets);

/// Words between the buffer and the array; one word sent to several PEs at once counts once.
///   inputs    each strip's rows once for every ceil(M / (filters_per_pe filter_sets))
///   filters   all of them once for every strip of windows and every images_per_pass
///   outputs   partial sums of each pass are written, and read back but for the first:
///             2 ceil(C / (channels_per_pe channel_sets)) ceil(R / kernel_rows) ceil(S / taps_per_pe) - 1 times
/// Transfers from and to DRAM are not included: each DRAM word is one more buffer access.
OperandWords row_stationary_buffer_words(const ConvolutionProduct& product, const RowStationarySets& sets);

struct RowStationaryMapping {
  RowStationarySets sets;
  ConvolutionTiling tiling;
  /// Cycles of the array alone; a machine compares them with those of its DRAM.
  std::int64_t cycles = 0;
  /// Multiply-accumulates / (cycles x PEs).
  double utilization = 0;
  OperandWords buffer;
  OperandWords dram;
};

/// The sets with the fewest cycles, then the fewest buffer words, and the tiling with the fewest DRAM words. A PE set
/// wider than the array is cut into pieces that are placed above each other; PE sets of different channels are placed
/// above each other because partial sums are added upward. Each PE takes as many channels, then as many filters, as its
/// scratchpads allow. Tiles and sets are chosen independently of each other. Throws std::invalid_argument if a size of
/// the array is not positive or the buffer cannot hold a row of each operand.
RowStationaryMapping map_row_stationary(const ConvolutionProduct& product, const RowStationaryArray& array);

}  // namespace pimsweep::hardware::pe_array
