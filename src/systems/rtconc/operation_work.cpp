#include "systems/rtconc/operation_work.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "workload/training/operation_table.h"

namespace pimsweep::systems::rtconc {

namespace {

using hardware::ConvolutionShape;
using hardware::Pass;
using hardware::manycore::Operations;
using workload::training::ConvolutionRole;
using workload::training::OperationType;
using workload::training::Shape;
using workload::training::TrainingGraph;
using workload::training::TrainingOperation;

double real(std::int64_t value) { return static_cast<double>(value); }

/// Stride and padding of a window in one direction.
struct Direction {
  double stride = 1;
  double padding = 0;
};

/// The smallest stride that yields `output` elements with TensorFlow's "SAME" or "VALID"; half of the padding on each
/// side.
Direction direction(std::int64_t input, std::int64_t kernel, std::int64_t output) {
  std::int64_t stride = 1;
  while (stride < input && (input + stride - 1) / stride != output && (input - kernel) / stride + 1 != output) ++stride;
  return {real(stride), std::max(0.0, real((output - 1) * stride + kernel - input) / 2)};
}

/// `x`: map before, `y`: map after the window.
ConvolutionShape convolution(const Shape& x, const Shape& y, std::int64_t kernel_height, std::int64_t kernel_width) {
  const Direction down = direction(x[1], kernel_height, y[1]);
  const Direction across = direction(x[2], kernel_width, y[2]);
  return {.width = real(x[2]),
          .height = real(x[1]),
          .channels = real(x[3]),
          .batch = real(x[0]),
          .filters = real(y[3]),
          .filter_height = real(kernel_height),
          .filter_width = real(kernel_width),
          .pad_height = down.padding,
          .pad_width = across.padding,
          .stride_height = down.stride,
          .stride_width = across.stride};
}

/// The side of a square window of `area` elements.
std::int64_t side(std::int64_t area) { return std::llround(std::sqrt(real(area))); }

class Instance {
 public:
  Instance(const TrainingGraph& graph, workload::training::OperationIndex index)
      : graph_(graph), operation_(graph.at(index)), inputs_(graph.inputs(index)) {}

  const TrainingOperation& operation() const { return operation_; }
  std::size_t inputs() const { return inputs_.size(); }
  const Shape& in(std::size_t i) const { return graph_.values()[inputs_[i]].shape; }
  const Shape& out() const { return graph_.values()[operation_.first_output].shape; }
  double elements_in(std::size_t i) const { return real(in(i).elements()); }
  /// Elements of the largest tensor that the operation reads or writes.
  double largest() const {
    double elements = operation_.outputs == 0 ? 1 : real(out().elements());
    for (std::size_t i = 0; i < inputs(); ++i) elements = std::max(elements, elements_in(i));
    return std::max(1.0, elements);
  }
  double bytes() const { return real(operation_.bytes_read + operation_.bytes_written); }

 private:
  const TrainingGraph& graph_;
  const TrainingOperation& operation_;
  std::span<const workload::training::ValueIndex> inputs_;
};

/// A pass over the largest tensor, with the traffic and arithmetic of the operation.
hardware::manycore::Work streamed(const Operations& make, const Instance& of) {
  const double elements = of.largest();
  const double inputs = real(of.operation().bytes_read) / (4 * elements);
  const double outputs = real(of.operation().bytes_written) / (4 * elements);
  return make.elementwise(elements, inputs, outputs, real(of.operation().work.total()) / elements);
}

/// The reduction of a tensor to `sums` values: the innermost dimension, or one value for each row.
hardware::manycore::Work reduced(const Operations& make, const hardware::manycore::Device& device, const Instance& of,
                                 double sums) {
  const double elements = of.largest();
  if (of.in(0).rank() > 0 && sums == elements / real(of.in(0).last()) && sums > 1) return streamed(make, of);
  if (sums < device.lanes) return make.bias_gradient(std::ceil(elements / device.lanes), device.lanes);
  return make.bias_gradient(elements / sums, sums);
}

/// Adds the cost of reading single elements by computed indices, for other layouts and broadcast operands.
hardware::manycore::Work gathered(hardware::manycore::Work work, const hardware::manycore::Device& device,
                                  double elements) {
  work.shared_cycles += elements * device.gather_cycles;
  return work;
}

/// True if an operand of more than one element, but fewer than the result, is broadcast.
bool broadcasts(const Instance& of) {
  for (std::size_t i = 0; i < of.inputs(); ++i) {
    if (of.in(i).elements() > 1 && of.in(i).elements() < of.out().elements()) return true;
  }
  return false;
}

hardware::manycore::Work convolved(const Operations& make, const Instance& of, ConvolutionRole role) {
  const workload::training::ConvolutionTensors tensors =
      workload::training::convolution_tensors(of.operation().type, of.in(0), of.in(1), of.out());
  const Pass pass = role == ConvolutionRole::forward          ? Pass::forward
                    : role == ConvolutionRole::input_gradient ? Pass::backward_inputs
                                                              : Pass::backward_weights;
  return make.convolution(convolution(tensors.input, tensors.output, tensors.filter[0], tensors.filter[1]), pass);
}

/// The GEMMs of a batch are one GEMM with all rows. Row-major GEMMs are MKL's column-major ones with both matrices
/// exchanged.
hardware::manycore::Work multiplied(const Operations& make, const Instance& of) {
  const double columns = real(of.out().last());
  const double rows = real(of.out().elements()) / columns;
  return make.gemm(columns, rows, real(of.operation().work.multiplications) / (rows * columns));
}

hardware::manycore::Work pooled(const Operations& make, const Instance& of, std::int64_t others) {
  const std::int64_t kernel = side(others / of.out().elements() + 1);
  return make.pooling(convolution(of.in(0), of.out(), kernel, kernel));
}

hardware::manycore::Work library_work(const Operations& make, const hardware::manycore::Device& device,
                                      const Instance& of) {
  using enum OperationType;
  const TrainingOperation& operation = of.operation();
  const workload::training::OperationInfo& info = workload::training::operation_info(operation.type);
  const ConvolutionRole role = workload::training::convolution_role(operation.type);
  if (role != ConvolutionRole::none) return convolved(make, of, role);
  if (info.group == workload::training::OperationGroup::product) return multiplied(make, of);
  if (info.fits == workload::training::broadcast_fits) {
    return broadcasts(of) ? gathered(streamed(make, of), device, of.largest()) : streamed(make, of);
  }
  switch (operation.type) {
    case MaxPool:
      return pooled(make, of, operation.work.others);
    case AvgPool:
      return pooled(make, of, operation.work.additions);
    case BiasAdd:
      return make.bias(of.largest() / real(of.out().last()), real(of.out().last()));
    case BiasAddGrad:
      return make.bias_gradient(of.largest() / real(of.out().last()), real(of.out().last()));
    case FusedBatchNorm:
    case FusedBatchNormGrad:
      return make.batch_norm(of.elements_in(0) / real(of.in(0).last()), real(of.in(0).last()));
    case Sum:
    case Mean:
    case L2Loss:
      return reduced(make, device, of, real(of.out().elements()));
    case InputConversion:
    case ToTf:
    case Tile:
    case Transpose:
      return gathered(streamed(make, of), device, of.bytes() / 8);
    default:
      return streamed(make, of);
  }
}

/// TensorFlow 1.9's kernels with one thread: BiasAddGrad (pull request 26426 of TensorFlow, March 2019, makes it
/// parallel) and the cross entropy of a whole batch (pull request 60585).
bool is_single_threaded(OperationType type) {
  return type == OperationType::BiasAddGrad || type == OperationType::SparseSoftmaxCrossEntropyWithLogits;
}

}  // namespace

bool uses_mkl(OperationType type) {
  return workload::training::operation_info(type).library == workload::training::Library::mkl;
}

schedule::OperationClass operation_class(const Operations& make, const hardware::manycore::Device& device,
                                         const Framework& framework, const TrainingGraph& graph,
                                         workload::training::OperationIndex operation) {
  const Instance instance(graph, operation);
  schedule::OperationClass result;
  result.waking.start = uses_mkl(instance.operation().type) ? schedule::Start::one_by_one : schedule::Start::by_halves;
  result.waking.each = framework.wake;
  if (instance.bytes() == 0) {
    // A conversion between equal layouts only checks them.
    result.work = make.elementwise(1, 1, 1, 0);
    result.max_threads = 1;
    return result;
  }
  result.work = library_work(make, device, instance);
  result.serial = instance.bytes() * framework.serial_byte;
  if (is_single_threaded(instance.operation().type)) {
    result.max_threads = 1;
    return result;
  }
  if (!uses_mkl(instance.operation().type)) {
    const EigenCosts& eigen = framework.eigen;
    const double cycles = instance.bytes() * eigen.byte_cycles + real(instance.operation().work.total()) / device.lanes;
    // TensorCostModel::numThreads.
    result.max_threads = std::max(1.0, std::floor((cycles - eigen.startup_cycles) / eigen.thread_cycles + 0.9));
  }
  return result;
}

}  // namespace pimsweep::systems::rtconc
