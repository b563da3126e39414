#pragma once

#include "hardware/gpu/element_kernel.h"
#include "hardware/gpu/gpu_model.h"

namespace pimsweep::hardware::gpu {

/// TensorFlow's own kernels, whose launch configuration is configurable (unlike those of cuDNN): fp32, channels
/// innermost, elements of the result in order (tensorflow/core/kernels/bias_op_gpu.cu.cc and maxpooling_op_gpu.cu.cc of
/// 1.9).

/// Adds a bias per channel to `elements` values.
ElementKernel bias_add(double elements, double channels);
/// The maximum under the filter at each of its positions.
ElementKernel max_pool(const ConvolutionShape& shape);

}  // namespace pimsweep::hardware::gpu
