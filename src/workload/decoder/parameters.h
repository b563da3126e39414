#pragma once

#include <cstdint>

#include "workload/decoder/decoder.h"

namespace pimsweep::workload::decoder {

/// Bits of weights that a checkpoint has not quantized.
inline constexpr double unquantized_bits = 16;

/// Learned values of a model. Both throw OverflowError where 64 bits do not hold them.
std::int64_t parameters(const Decoder& model);
/// Parameters active for a token: all except those of experts that it does not use. Tables of words and positions count
/// in full, as in published numbers.
std::int64_t active_parameters(const Decoder& model);

/// Bytes of the weights that each of `gpus` GPUs has. With tensor parallelism they share tables, projections, experts
/// and feed-forward networks; each has all norms, routers, learned positions, the matrices that compute latent vectors,
/// and at least one key-value head. `bits` are those of all weights; 0: those of the checkpoint.
double weight_bytes(const Decoder& model, double bits, std::int64_t gpus);

}  // namespace pimsweep::workload::decoder
