#pragma once

#include <cstdint>

#include "hardware/pe_array/convolution.h"

namespace pimsweep::hardware::pe_array {

/// Words moved for each operand.
struct OperandWords {
  Count inputs = 0;
  Count filters = 0;
  Count outputs = 0;

  std::int64_t total() const { return inputs + filters + outputs; }
  friend bool operator==(const OperandWords&, const OperandWords&) = default;
};

/// Operand that stays in the buffer during the innermost loop over tiles.
enum class StationaryTile : std::uint8_t { inputs, filters, outputs };

/// Tiling of a computation into parts that are held in the buffer, one group after another.
struct ConvolutionTiling {
  std::int64_t images = 0;
  /// Rows of windows; a tile has all columns of the map.
  std::int64_t window_rows = 0;
  std::int64_t filters = 0;
  std::int64_t channels = 0;
  std::int64_t kernel_rows = 0;
  StationaryTile stationary = StationaryTile::outputs;
  /// Words between DRAM and buffer, including partial sums that are read back.
  OperandWords dram;
};

/// The tiling with the fewest DRAM words. With N, E, M, C, R images, window rows, filters, channels and kernel rows cut
/// into tiles of n, e, m, c, k, an operand moves once for every tile of the indices that it does not have, except the
/// innermost:
///
///     stationary   inputs              filters                     outputs
///     outputs      I ceil(M/m)         F ceil(N/n) ceil(E/e)       O
///     filters      I ceil(M/m)         F                           O (2 ceil(C/c) ceil(R/k) - 1)
///     inputs       I                   F ceil(N/n) ceil(E/e)       O (2 ceil(C/c) ceil(R/k) - 1)
///
/// where I counts rows shared by neighboring tiles once for each. The three tiles of one step must fit into the buffer
/// together (no double buffering, as in map_gemm). A part of the map is taken from one image at a time, and kernels are
/// cut for one channel at a time. Throws std::invalid_argument if the buffer cannot hold a row of each operand.
ConvolutionTiling fewest_dram_words(const ConvolutionProduct& product, std::int64_t buffer_words);

}  // namespace pimsweep::hardware::pe_array
