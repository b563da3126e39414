#pragma once

#include <cstdint>
#include <string>

#include "hardware/gpu/device.h"
#include "hardware/gpu/serving/kernels.h"
#include "hardware/links/collectives.h"
#include "systems/axis_table.h"
#include "systems/devices/serving_axes.h"
#include "systems/devices/sheet_axes.h"

namespace pimsweep::systems::parts {

/// Storage and arithmetic of numbers: as in the measured sheets, or by kernels of language models.
struct Numbers {
  /// As in the sheets; not used by kernels of language models.
  hardware::gpu::Precision sheet = hardware::gpu::Precision::fp32;
  bool is_language = false;
  /// Bytes of a factor as it is multiplied, and of a stored weight.
  double factor_bytes = 4;
  double weight_bytes = 4;

  friend bool operator==(const Numbers&, const Numbers&) = default;
};

/// Shapes of kernels of language models, named as the columns of their measured rows. Sizes are counts, held as reals.
struct LanguageSheet {
  Numbers numbers;
  /// GEMM of [m, k] x [k, n]; 0: the axes M, N and K.
  double m = 0;
  double n = 0;
  double k = 0;
  double heads = 1;
  double kv_heads = 1;
  double head_size = 128;
  /// Bytes of a cached value.
  double cache_bytes = 2;
  double context = 1;
  double decodes = 1;
  double long_decodes = 0;
  double long_context = 1;
  /// 0: none.
  double window = 0;
  double tokens = 1;
  double prefix = 0;
  double experts = 1;
  double top_k = 1;
  double intermediate = 1;
  double tensor_parallel = 1;
  double expert_parallel = 1;
  /// Exponent of the loads' power law, by either axis; 0: equal loads.
  double distribution = 0;
  double expert_skew = 0;
  /// Weights and KV cache are in the second-level cache.
  bool is_cached = false;
  double ranks = 2;
  double bytes = 1;
  hardware::links::CollectiveLibrary library = hardware::links::CollectiveLibrary::automatic;
  bool is_eager = false;
};

void add_axes(AxisList& axes, LanguageSheet& sheet);

bool is_collective(devices::OperationKind kind);
/// A kernel of language models: a kind that has no others, or a GEMM in one of their precisions.
bool is_language_kernel(const devices::Sheet& sheet, const LanguageSheet& language);

/// Bytes of a factor as the kernel multiplies it.
double factor_bytes_of(const devices::Sheet& sheet, const LanguageSheet& language);

/// Reason why the GPU does not support such a kernel; empty if it does. Throws PointError for shapes that no kernel
/// has.
std::string misfit_of(const devices::Sheet& sheet, const LanguageSheet& language, const devices::ServingGpu& gpu);

/// Time, bytes from memory and operations, the error of the kernel's class included.
hardware::gpu::serving::KernelTime time_of(const devices::Sheet& sheet, const LanguageSheet& language,
                                           const devices::ServingGpu& gpu);

}  // namespace pimsweep::systems::parts
