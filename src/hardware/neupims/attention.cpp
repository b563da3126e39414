#include "hardware/neupims/attention.h"

#include <cmath>

namespace pimsweep::hardware::neupims {

double attention_cycles(const Device& device, const AttentionShape& shape) {
  const double page = static_cast<double>(device.page_bytes) / shape.value_bytes;
  const auto banks = static_cast<double>(device.banks);
  const auto write = static_cast<double>(device.write_cycles);
  const auto tile = static_cast<double>(device.tile_cycles);
  const double scores =
      std::ceil(shape.heads * shape.head_size / page) * (write + tile * std::ceil(shape.context / banks));
  const double values =
      std::ceil(shape.context / page) * shape.heads * (write + tile * std::ceil(shape.head_size / banks));
  return scores + values;
}

}  // namespace pimsweep::hardware::neupims
