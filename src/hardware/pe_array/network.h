#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/pe_array/gemm.h"
#include "workload/operator_graph.h"

namespace pimsweep::hardware::pe_array {

/// An operator of a network as work for a PE array, or for the vector unit next to it.
struct NetworkLayer {
  std::string name;
  workload::OperatorKind kind = workload::OperatorKind::input;
  /// Equal GEMMs, one after another: one for each group of a convolution (thus each channel of a depthwise one), and
  /// one for each head and sample of a product of activations. 0: an operator of the vector unit.
  std::int64_t gemms = 0;
  Gemm gemm;
  /// For the vector unit: words that it reads and writes, and those of them that cross DRAM.
  std::int64_t reads = 0;
  std::int64_t writes = 0;
  std::int64_t dram_reads = 0;
  std::int64_t dram_writes = 0;

  bool on_array() const { return gemms > 0; }
};

/// The operators of a network that compute or move data, in topological order.
///
/// Weights are shared by the batch, so that it adds rows to the GEMMs of linear operators and convolutions (im2col),
/// and GEMMs to products of activations. The array reads the map of a convolution from DRAM, not its windows.
///
/// All other operators are for the vector unit, which reads each input and writes each output once; pooling reads every
/// window. Activation functions and batch normalization of a result that nothing else reads find it in the SRAM and
/// leave theirs there. Inputs, reshapes and slices are views, which nobody computes; so are the movements that a layer
/// table leaves out.
///
/// Weights of a quantized network take their own bits in DRAM, and words of `word_bytes` bytes from the buffer on.
std::vector<NetworkLayer> network_layers(const workload::OperatorGraph& graph, std::int64_t batch,
                                         std::int64_t word_bytes);

}  // namespace pimsweep::hardware::pe_array
