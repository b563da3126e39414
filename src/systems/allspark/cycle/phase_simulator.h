#pragma once

#include <cstdint>
#include <memory>

#include "systems/allspark/cycle/node_dram.h"
#include "systems/allspark/cycle/phase_times.h"
#include "systems/allspark/cycle/ring_times.h"
#include "systems/allspark/machine.h"

namespace pimsweep::systems::allspark::cycle {

/// The phases of a schedule on simulated routers and DRAM (fidelity "cycle"). Phases of the same size are simulated
/// once.
class PhaseSimulator final : public PhaseTimes {
 public:
  /// `dram` and `rings` belong to the machine and may be shared with other simulators.
  PhaseSimulator(const Machine& machine, std::shared_ptr<NodeDram> dram, std::shared_ptr<RingTimes> rings);

  std::int64_t gemm_cycles(const hardware::pe_array::Gemm& gemm,
                           const hardware::pe_array::GemmMapping& mapping) override;
  std::int64_t movement_cycles(const Partition& partition, std::int64_t branches, const Movement& movement) override;

 private:
  double word_bytes_;
  std::uint32_t flit_bytes_;
  Transfer transfer_;
  std::shared_ptr<NodeDram> dram_;
  std::shared_ptr<RingTimes> rings_;
};

}  // namespace pimsweep::systems::allspark::cycle
