#pragma once

#include "systems/llm/cost.h"
#include "workload/decoder/step.h"

namespace pimsweep::systems::llm {

/// Peaks of one device of PIM for a kind of operator.
struct RatedUnits {
  /// Bytes in a second from the banks into the units; 0: the device has none.
  double bandwidth = 0;
  /// Operations in a second.
  double rate = 0;
};

/// PIM of which only peaks are printed: operators take the longer of their bytes at the bandwidth and their operations
/// at the rate (roofline), and a latency. Each byte is read once for all rows, tokens or heads that use it: where units
/// cannot hold it, their rate is so low that operations take longer.
struct RatedPim {
  RatedUnits attention;
  /// Of products and experts. Their weights are those of the card, in whose memory these units are.
  RatedUnits products;
  double latency = 0;
  /// Joules of a byte and of an operation.
  double memory_energy = 0;
  double operation_energy = 0;
};

/// Costs on all devices of a card, which share an operator evenly; `impossible` without units for it.
Cost rated_attention(const RatedPim& pim, double devices, const workload::decoder::Operator& op,
                     const workload::decoder::Step& step, const workload::decoder::Bits& bits);
Cost rated_product(const RatedPim& pim, double devices, const workload::decoder::Operator& op);
/// Part of an operator of experts that an expert takes, as expected over routing, without the latency.
Cost rated_expert(const RatedPim& pim, double devices, const workload::decoder::Operator& op,
                  const workload::decoder::ExpertLoad& load, double tokens_of_all);

}  // namespace pimsweep::systems::llm
