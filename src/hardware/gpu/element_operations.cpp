#include "hardware/gpu/element_operations.h"

#include <algorithm>

namespace pimsweep::hardware::gpu {

namespace {

constexpr double value_bytes = 4;
// Estimated from the kernels' source as compiled for Pascal.
/// A division with remainder by a value known only at run time.
constexpr double instructions_of_division = 25;
/// Loop over the elements, addresses, store.
constexpr double instructions_of_element = 10;
/// Address, load, comparison, selection and branch.
constexpr double instructions_of_tap = 8;
/// Divisions that convert an element's index into image, row, column and channel.
constexpr double divisions_of_pooling = 3;
constexpr double registers_of_bias = 16;
constexpr double registers_of_pooling = 32;

}  // namespace

ElementKernel bias_add(double elements, double channels) {
  ElementKernel kernel;
  kernel.elements = elements;
  kernel.memory_bytes = (2 * elements + channels) * value_bytes;
  kernel.cache_bytes = kernel.memory_bytes;
  // Value and bias are requested together; the bias is in the first-level cache.
  kernel.memory_trips = 1;
  kernel.load_words = 2;
  kernel.instructions = instructions_of_division + instructions_of_element;
  kernel.registers = registers_of_bias;
  return kernel;
}

ElementKernel max_pool(const ConvolutionShape& shape) {
  const double taps = shape.filter_height * shape.filter_width;
  const double outputs = shape.batch * shape.channels * shape.out_height() * shape.out_width();
  const double read = std::min(shape.inputs(), outputs * taps);
  ElementKernel kernel;
  kernel.elements = outputs;
  kernel.memory_bytes = (read + outputs) * value_bytes;
  kernel.cache_bytes = (taps + 1) * outputs * value_bytes;
  // A tap is compared before the next one is loaded. The first thread that needs a value fetches it from memory.
  kernel.memory_trips = read / outputs;
  kernel.cache_trips = taps - kernel.memory_trips;
  kernel.load_words = taps;
  kernel.instructions =
      divisions_of_pooling * instructions_of_division + instructions_of_element + taps * instructions_of_tap;
  kernel.registers = registers_of_pooling;
  return kernel;
}

}  // namespace pimsweep::hardware::gpu
