#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hardware/gpu/serving/card.h"
#include "hardware/links/collectives.h"
#include "systems/axis_table.h"

namespace pimsweep::systems::devices {

/// Factors on the modeled times of classes of kernels, for the error of the model (docs/gpu.md).
struct ServingErrors {
  /// Factors of all GEMMs, and in addition of those of one shape, which averages out over the shapes of a model.
  double gemm = 1;
  double gemm_by_shape = 1;
  double decode_attention = 1;
  double prefill_attention = 1;
  double experts = 1;
  double elementwise = 1;
  double sampler = 1;
};

/// Constants of a GPU for kernels of language models and for collectives.
struct ServingGpu {
  hardware::gpu::serving::Card card;
  ServingErrors errors;
  hardware::links::Collectives collectives;
};

/// The constants as axes "hardware.PREFIXkey", for a system that needs them for some points only: they are -1 where
/// none are given. The caller adds the data sheet (multiprocessors, clock, rate, memory and cache) and the constants of
/// kernels without GEMMs.
void add_optional_serving_axes(AxisList& axes, std::string_view prefix, ServingGpu& gpu);
/// The names of those axes without a value: of kernels, and of collectives.
std::vector<std::string> missing_kernel_constants(std::string_view prefix, const ServingGpu& gpu);
std::vector<std::string> missing_collective_constants(std::string_view prefix, const ServingGpu& gpu);
/// True if none is missing.
bool has_kernel_constants(const ServingGpu& gpu);
bool has_collective_constants(const ServingGpu& gpu);

}  // namespace pimsweep::systems::devices
