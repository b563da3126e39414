#include "hardware/newton/layer.h"

#include <cmath>

namespace pimsweep::hardware::newton {

std::int64_t Layer::pixels() const {
  if (height + 2 * pad_height < kernel_height || width + 2 * pad_width < kernel_width) return 0;
  return Count{output_height()} * output_width();
}

bool Layer::fully_connected() const {
  return pointwise() && stride == 1 && width == 1 && pad_height == 0 && pad_width == 0;
}

std::optional<Layer> pim_part(const Layer& layer, std::int64_t tenths) {
  if (tenths == 10) return layer;
  if (tenths == 0) return std::nullopt;
  const std::int64_t gpu_percent = 100 - 10 * tenths;
  // The arithmetic of the artifact, including its rounding.
  const auto gpu_rows = static_cast<std::int64_t>(
      std::ceil(static_cast<double>(layer.height) * (static_cast<double>(gpu_percent) / 100)));
  Layer part = layer;
  if (layer.fully_connected()) {
    part.height = layer.height - gpu_rows;
    return part.height > 0 ? std::optional(part) : std::nullopt;
  }
  const std::int64_t halo = layer.kernel_height / 2;
  if (layer.height == 1 || gpu_rows + halo - (gpu_rows - 1) % layer.stride >= layer.height - 1) return std::nullopt;
  const std::int64_t phase = (layer.stride - gpu_rows % layer.stride) % layer.stride;
  part.height = layer.height + layer.pad_height - gpu_rows + halo - phase;
  part.pad_height = 0;
  return part;
}

}  // namespace pimsweep::hardware::newton
