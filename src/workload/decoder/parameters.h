#pragma once

#include <cstdint>

#include "workload/decoder/decoder.h"

namespace pimsweep::workload::decoder {

/// Learned values of a model. Both throw OverflowError where 64 bits do not hold them.
std::int64_t parameters(const Decoder& model);
/// Those that a token has to do with: all but the experts that it does not pass through. Tables of words and positions
/// count as a whole, as in the published numbers.
std::int64_t active_parameters(const Decoder& model);

}  // namespace pimsweep::workload::decoder
