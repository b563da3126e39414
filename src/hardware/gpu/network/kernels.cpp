#include "hardware/gpu/network/kernels.h"

namespace pimsweep::hardware::gpu::network {

namespace {

double real(std::int64_t value) { return static_cast<double>(value); }

ConvolutionShape whole_shape(const Node& node) {
  return {.width = real(node.width),
          .height = real(node.height),
          .channels = real(node.inputs),
          .batch = real(node.images),
          .filters = real(node.outputs),
          .filter_height = real(node.window.kernel.height),
          .filter_width = real(node.window.kernel.width),
          .pad_height = real(node.window.padding.height),
          .pad_width = real(node.window.padding.width),
          .stride_height = real(node.window.stride),
          .stride_width = real(node.window.stride)};
}

/// A part reads its rows with their halo; rows of padding are treated like any others.
ConvolutionShape part_shape(const Node& node, std::int64_t rows) {
  ConvolutionShape shape = whole_shape(node);
  if (rows < node.rows()) {
    shape.height = real((rows - 1) * node.window.stride + node.window.kernel.height);
    shape.pad_height = 0;
  }
  return shape;
}

/// Values of a layer's result. A transposed convolution is described by the convolution that it reverses.
double result_elements(const Node& node) {
  return node.work == OtherWork::transposed_convolution ? node.input_elements() : node.output_elements();
}

}  // namespace

KernelCost NetworkKernels::rows(const Node& node, std::int64_t rows, const Choice& choice) const {
  if (rows == 0) return {};
  KernelCost cost = rows_alone(node, rows, choice);
  if (bias_kernels_ && node.has_weights()) {
    cost.then(model_.elementwise(precision_, result_elements(node) * real(rows) / real(node.rows()), 1));
  }
  return cost;
}

KernelCost NetworkKernels::rows_alone(const Node& node, std::int64_t rows, const Choice& choice) const {
  switch (node.kind) {
    case NodeKind::convolution:
      if (pointwise_as_gemm_ && node.pointwise() && node.window.stride == 1 && node.window.padding.area() == 0) {
        return model_.gemm(precision_, real(node.outputs), real(node.images * rows * node.width), real(node.inputs),
                           choice);
      }
      return model_.convolution(precision_, part_shape(node, rows), Pass::forward, choice);
    case NodeKind::fully_connected:
      if (node.gate && model_.device().has_fixed_algorithm()) {
        return model_.convolution(precision_, part_shape(node, rows), Pass::forward, choice);
      }
      return model_.gemm(precision_, real(node.outputs), real(rows), real(node.inputs), choice);
    case NodeKind::depthwise:
      return model_.depthwise(precision_, part_shape(node, rows));
    case NodeKind::other:
      break;
  }
  switch (node.work) {
    case OtherWork::matmul:
      return model_.gemm(precision_, real(node.product.batch * node.product.rows), real(node.product.columns),
                         real(node.product.inner), choice);
    case OtherWork::grouped_convolution: {
      // Groups are computed like images, each with its own filters.
      ConvolutionShape shape = whole_shape(node);
      const double groups = real(node.window.groups);
      shape.channels /= groups;
      shape.filters /= groups;
      shape.batch *= groups;
      return model_.convolution(precision_, shape, Pass::forward, choice);
    }
    case OtherWork::transposed_convolution:
      return model_.convolution(precision_, whole_shape(node), Pass::backward_inputs, choice);
    case OtherWork::pooling:
      return model_.pooling(precision_, whole_shape(node));
    case OtherWork::elementwise:
      return model_.elementwise(precision_, node.elements, node.tensors);
    case OtherWork::none:
      break;
  }
  return {};
}

KernelCost NetworkKernels::activations(const Node& node) const {
  return node.activations > 0 ? model_.elementwise(precision_, node.activations, 1) : KernelCost{};
}

KernelCost NetworkKernels::merged(const Node& node, bool in_bias_kernel) const {
  if (node.merged_elements == 0) return {};
  const double read = result_elements(node) + node.merged_reads;
  KernelCost cost = model_.elementwise(precision_, node.merged_elements, read / node.merged_elements);
  if (!bias_kernels_ || !in_bias_kernel) return cost;
  // The kernel of the bias is launched in any case and writes the sum instead of its own result.
  const KernelCost bias = model_.elementwise(precision_, result_elements(node), 1);
  cost.seconds -= bias.seconds;
  cost.work_seconds -= bias.work_seconds;
  cost.held_seconds -= bias.held_seconds;
  cost.operations -= bias.operations;
  cost.cache_bytes -= bias.cache_bytes;
  cost.memory_bytes -= bias.memory_bytes;
  cost.launches -= bias.launches;
  cost.math_energy -= bias.math_energy;
  return cost;
}

KernelCost NetworkKernels::copy(double elements) const { return model_.elementwise(precision_, elements, 1); }

}  // namespace pimsweep::hardware::gpu::network
