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

/// What the first dimension of a network's input counts: samples of a batch, of which one is taken, or entries of the
/// data.
enum class FirstDimension : std::uint8_t { automatic, batch, data };

constexpr Words<FirstDimension, 3> first_dimension_words{
    {{"automatic", FirstDimension::automatic}, {"batch", FirstDimension::batch}, {"data", FirstDimension::data}}};

/// What an experiment may say about how a network file is read.
struct ReadingOptions {
  UnknownNodes unknown = UnknownNodes::refuse;
  FirstDimension first = FirstDimension::automatic;
};

}  // namespace pimsweep::workload::import
