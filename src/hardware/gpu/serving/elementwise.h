#pragma once

#include "hardware/gpu/serving/kernels.h"

namespace pimsweep::hardware::gpu::serving {

// Kernels of a step of a language model without GEMMs (docs/gpu.md), with the laws of kernels.h.

/// `bytes`: total read and written; `trips`: dependent memory accesses of a thread.
struct ElementwiseShape {
  double bytes = 0;
  double blocks = 1;
  double trips = 1;
  double operations = 0;
};
KernelTime elementwise(const Card& card, const ElementwiseShape& shape);

/// Embedding: table rows of tokens.
KernelTime embedding(const Card& card, double tokens, double hidden, double value_bytes = 2);
/// Normalization of `rows` vectors of `columns`; with `residual` a second input is added and the sum is also written.
KernelTime normalization(const Card& card, double rows, double columns, bool residual, double value_bytes = 2);
/// Rotary embedding of queries and keys, `values` per token.
KernelTime rotary(const Card& card, double tokens, double values, double value_bytes = 2);
/// Activation of `width` values per token; `gated`: multiplied by a second input.
KernelTime activation(const Card& card, double tokens, double width, bool gated, double value_bytes = 2);
/// Greedy sampling: conversion to fp32, argmax.
KernelTime sampler(const Card& card, double sequences, double vocabulary);

}  // namespace pimsweep::hardware::gpu::serving
