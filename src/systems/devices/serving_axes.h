#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hardware/gpu/serving/card.h"
#include "systems/axis_table.h"

namespace pimsweep::systems::devices {

/// Factors on the modeled times of classes of kernels, for the error of the model (docs/gpu.md).
struct ServingErrors {
  double gemm = 1;
  double decode_attention = 1;
  double prefill_attention = 1;
  double experts = 1;
};

/// The constants of kernels of language models as axes "hardware.PREFIXkey", for a system that needs them for some
/// points only: they are -1 where none are given. The caller fills in the data sheet: multiprocessors, clock, rate,
/// memory and cache.
void add_optional_serving_axes(AxisList& axes, std::string_view prefix, hardware::gpu::serving::Card& card,
                               ServingErrors& errors);
/// The names of axes of add_optional_serving_axes without a value.
std::vector<std::string> missing_serving_axes(std::string_view prefix, const hardware::gpu::serving::Card& card);

}  // namespace pimsweep::systems::devices
