#pragma once

#include <limits>
#include <optional>

#include "workload/decoder/step.h"

namespace pimsweep::systems::llm::step {

/// Cost of running an operator once on one side of the machine: a GPU, or the PIM devices beside it.
struct Cost {
  double seconds = 0;
  /// Bytes read and written in memory.
  double bytes = 0;
  /// Joules beyond the idle power.
  double energy = 0;

  Cost& operator+=(const Cost& other) {
    seconds += other.seconds;
    bytes += other.bytes;
    energy += other.energy;
    return *this;
  }
  friend Cost operator*(double factor, const Cost& cost) {
    return {factor * cost.seconds, factor * cost.bytes, factor * cost.energy};
  }
};

/// Cost of a side that cannot run the operator.
inline constexpr Cost impossible{.seconds = std::numeric_limits<double>::infinity()};

constexpr bool is_possible(const Cost& cost) { return cost.seconds < std::numeric_limits<double>::infinity(); }

/// Experts of an operator, divided between both sides.
struct ExpertParts {
  Cost gpu = {};
  Cost pim = {};
  /// Share of token-expert pairs that PIM computes and sends back.
  double pim_share = 0;
};

/// An operator of a step with its costs on either side, and where a policy runs it.
struct Choice {
  const workload::decoder::Operator* op = nullptr;
  Cost gpu = {};
  Cost pim = {};
  /// Seconds for moving inputs to PIM and outputs back, if the neighboring operators are on the GPU.
  double transfer = 0;
  /// Share of the operator that PIM runs: 0 to 1.
  double pim_share = 0;
  /// Experts that both sides have: the work of each side, in place of shares of all.
  std::optional<ExpertParts> parts = {};

  bool is_gemm() const { return workload::decoder::is_gemm(op->kind); }
  bool is_attention() const { return op->kind == workload::decoder::Kind::attention; }
};

}  // namespace pimsweep::systems::llm::step
