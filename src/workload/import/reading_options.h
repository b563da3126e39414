#pragma once

#include <cstdint>

#include "base/words.h"

namespace pimsweep::workload::import {

/// Treatment of nodes of unsupported types.
enum class UnknownNodes : std::uint8_t {
  refuse,
  elementwise,  ///< an element-wise function of the first input
  free,         ///< a no-op: the output is the first input
};

constexpr Words<UnknownNodes, 3> unknown_words{
    {{"refuse", UnknownNodes::refuse}, {"elementwise", UnknownNodes::elementwise}, {"free", UnknownNodes::free}}};

/// Meaning of the first dimension of a network's input: a batch, which is reduced to one sample, or part of the data.
enum class FirstDimension : std::uint8_t { automatic, batch, data };

constexpr Words<FirstDimension, 3> first_dimension_words{
    {{"automatic", FirstDimension::automatic}, {"batch", FirstDimension::batch}, {"data", FirstDimension::data}}};

/// Options of an experiment for reading network files.
struct ReadingOptions {
  UnknownNodes unknown = UnknownNodes::refuse;
  FirstDimension first = FirstDimension::automatic;
};

}  // namespace pimsweep::workload::import
