#pragma once

#include <cstdint>

#include "base/words.h"

namespace pimsweep::workload::import {

/// What becomes of nodes whose type is not known.
enum class UnknownNodes : std::uint8_t {
  refuse,
  elementwise,  ///< an element-wise function of the first input
  free,         ///< nothing: the output is the first input
};

constexpr Words<UnknownNodes, 3> unknown_words{
    {{"refuse", UnknownNodes::refuse}, {"elementwise", UnknownNodes::elementwise}, {"free", UnknownNodes::free}}};

}  // namespace pimsweep::workload::import
