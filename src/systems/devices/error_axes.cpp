#include "systems/devices/error_axes.h"

#include <fmt/format.h>

namespace pimsweep::systems::devices {

void add_error_axes(AxisList& axes, hardware::ModelError& error, const std::string& key, std::string_view kernels) {
  axes.quantity(error.common, key, "1", 1e-3, 1e3,
                fmt::format("factor on the modeled time of {}, for the error of the model", kernels), 1.0)
      .quantity(
          error.by_shape, key + std::string(by_shape_suffix), "1", 1e-3, 1e3,
          fmt::format("factor by which modeled times of {} are multiplied or divided, at random by shape", kernels),
          1.0);
}

}  // namespace pimsweep::systems::devices
