#pragma once

#include <cstdint>

#include "workload/decoder/decoder.h"

namespace pimsweep::workload::decoder {

/// Learned values of a model. Both throw OverflowError where 64 bits do not hold them.
std::int64_t parameters(const Decoder& model);
/// Parameters active for a token: all except those of experts that it does not use. Tables of words and positions count
/// in full, as in published numbers.
std::int64_t active_parameters(const Decoder& model);

}  // namespace pimsweep::workload::decoder
