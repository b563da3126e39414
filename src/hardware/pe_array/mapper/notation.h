#pragma once

#include <string>
#include <string_view>

#include "hardware/pe_array/mapper/mapping.h"

namespace pimsweep::hardware::pe_array::mapper {

/// A mapping as Timeloop prints it, one line, loops from the outside in:
///
///     L3[ABZ] N7 - L2[ABZ] K4 N7X - L1[Z] M49 K8Y - L0[B] K1
///
/// for DRAM, buffer, accumulators and registers. X and Y mark what is spread over columns and rows; "N7;1X" is a loop
/// whose very last round takes 1. Loops of one round may be left out.
std::string to_text(const Mapping& mapping, const Gemm& gemm);

/// Throws std::invalid_argument with the place in the text where it breaks the notation, has a loop that its level
/// cannot have, or does not cover the product exactly once.
Mapping parse_mapping(std::string_view text, const Gemm& gemm);

}  // namespace pimsweep::hardware::pe_array::mapper
