#pragma once

#include <vector>

#include "hardware/gpu/serving/kernels.h"

namespace pimsweep::hardware::gpu::serving {

/// Distribution of the tokens of a layer over the experts of one GPU.
struct ExpertRouting {
  double tokens = 1;
  double experts = 1;
  double per_token = 1;
  /// GPUs that share the experts; the most loaded one is meant.
  double ranks = 1;
  /// Loads follow a power law with this exponent; 0: all experts have the same load.
  double skew = 0;
};

/// Expected loads of the experts of the most loaded GPU. The loads of all E experts are the quantiles (i + 1/2) / E of
/// the law x^-skew between 1 and 0.8 `tokens`, scaled to the sum tokens x per_token, at most `tokens` each; between
/// 0.01 and 2 where experts outnumber the choices of all tokens. The GPU's share of them has the expected maximum over
/// ranks of a normal distribution, or the largest expert if that is more. An expert with a load below 1 is active with
/// that probability.
std::vector<ExpertGroup> expert_loads(const ExpertRouting& routing);

}  // namespace pimsweep::hardware::gpu::serving
