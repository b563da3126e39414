#pragma once

#include <array>
#include <unordered_map>

#include "base/key_hash.h"
#include "systems/llm/step/cost.h"
#include "systems/llm/step/machine.h"
#include "workload/decoder/step.h"

namespace pimsweep::systems::llm::step {

/// Cost of running an operator once on one GPU; `impossible` on a machine without GPUs.
Cost gpu_cost(const Gpus& gpus, const workload::decoder::Operator& op, const workload::decoder::Step& step,
              const workload::decoder::Bits& bits);

/// Costs of GEMMs of one model on one machine, each computed once for its number of rows.
class GemmCosts {
 public:
  /// `op` is one of the kinds `linear` and `head`.
  const Cost& operator()(const Gpus& gpus, const workload::decoder::Operator& op, const workload::decoder::Step& step,
                         const workload::decoder::Bits& bits);
  void clear() { costs_.clear(); }

 private:
  /// Rows, columns of all products, elements of a row, and bits of a weight.
  using Key = std::array<double, 4>;
  std::unordered_map<Key, Cost, KeyHash> costs_;
};

/// Cost of an expert among others on one GPU, as expected over routing, without what the operator takes once.
Cost gpu_expert(const Gpus& gpus, const workload::decoder::Operator& op, const workload::decoder::Step& step,
                const workload::decoder::Bits& bits, const workload::decoder::ExpertLoad& load);
/// Cost of an operator of experts beside the experts.
Cost gpu_experts_once(const Gpus& gpus);

/// Passages of tokens through experts: each token passes through as many as it chooses.
double passages_of(const workload::decoder::Operator& op);

}  // namespace pimsweep::systems::llm::step
