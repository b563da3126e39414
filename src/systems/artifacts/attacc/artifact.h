#pragma once

#include <cstdint>

#include "systems/artifacts/attacc/kernels.h"
#include "systems/artifacts/attacc/machine.h"

namespace pimsweep::systems::artifacts::attacc {

/// Time of a step of all blocks by parts, in s.
struct StepTime {
  double qkv = 0;
  double projection = 0;
  double feed_forward = 0;
  /// Scores and contexts.
  double attention = 0;
  double softmax = 0;
  double all_reduce = 0;
  /// Between GPUs and AttAcc.
  double transfer = 0;
  double activation = 0;
  double norm = 0;

  double dense() const { return qkv + projection + feed_forward; }
  double links() const { return all_reduce + transfer; }
  double elements() const { return activation + norm; }
  double total() const { return dense() + attention + softmax + links() + elements(); }
  StepTime& operator+=(const StepTime& other);
  StepTime& operator*=(double factor);
};

/// Energy of a step of all blocks, on all GPUs and stacks, in J.
struct StepEnergy {
  KernelEnergy dense = {};
  /// Scores, softmax and contexts.
  KernelEnergy attention = {};
  KernelEnergy elements = {};
  double links = 0;

  /// Energy of all kernels.
  KernelEnergy kernels() const;
  double total() const { return kernels().total() + links; }
  StepEnergy& operator+=(const StepEnergy& other);
  StepEnergy& operator*=(double factor);
};

struct StepCost {
  StepTime time = {};
  StepEnergy energy = {};
  /// Floating-point operations of all GPUs.
  double flops = 0;

  StepCost& operator+=(const StepCost& other);
  StepCost& operator*=(double factor);
};

/// Steps as the system simulator of AttAcc's artifact has them (scale-snu/attacc_simulator, commit c600051:
/// model.py:78-245, devices.py:38-357, system.py:101-189). Throw PointError where clocks of AttAcc are to be looked up
/// but were not published, and OverflowError where counts do not fit 64 bits.

/// One new token for each sequence, after `context` tokens (this one included).
StepCost decode_step(const Model& model, const Cluster& cluster, const Accounting& accounting, const Load& load,
                     std::int64_t context);

/// Mean of the steps after the first that give `output` tokens from `input`: contexts input + 1 to input + output - 1.
/// Requires two tokens of output.
StepCost mean_decode_step(const Model& model, const Cluster& cluster, const Accounting& accounting, const Load& load,
                          std::int64_t input, std::int64_t output);

/// Cost of prefill: `input` tokens of each sequence, on the GPUs alone. As in the artifact, the sum excludes the
/// transfer of the KV cache to AttAcc.
StepCost prefill(const Model& model, const Cluster& cluster, const Accounting& accounting, const Load& load,
                 std::int64_t input);

/// Bytes of weights, of the KV cache and of the largest intermediate result (system.py:440-466).
double required_bytes(const Model& model, const Load& load, std::int64_t input, std::int64_t output);

}  // namespace pimsweep::systems::artifacts::attacc
