#pragma once

#include <cstdint>
#include <memory>

#include "systems/allspark/cycle/node_dram.h"
#include "systems/allspark/cycle/phase_times.h"
#include "systems/allspark/cycle/ring_times.h"

namespace pimsweep::systems::allspark::cycle {

/// What a cycle-by-cycle simulation needs besides the machine.
struct CycleSettings {
  hardware::dram::Dram bank;
  std::int64_t banks = 1;
  double word_bytes = 1;
  NodeNetwork nodes;
  /// Whether DRAM reads, links and DRAM writes of a transfer overlap.
  bool pipelined = false;

  friend bool operator==(const CycleSettings&, const CycleSettings&) = default;
};

/// The phases of a schedule on simulated routers and DRAM (fidelity "cycle"). Phases of the same size are simulated
/// once.
class PhaseSimulator final : public PhaseTimes {
 public:
  /// `dram` and `rings` belong to the settings and may be shared with other simulators.
  PhaseSimulator(const CycleSettings& settings, std::shared_ptr<NodeDram> dram, std::shared_ptr<RingTimes> rings);

  const CycleSettings& settings() const { return settings_; }
  const std::shared_ptr<NodeDram>& dram() const { return dram_; }
  const std::shared_ptr<RingTimes>& rings() const { return rings_; }

  std::int64_t product_cycles(const hardware::pe_array::Gemm& gemm,
                              const hardware::pe_array::GemmMapping& mapping) override;
  std::int64_t movement_cycles(const Partition& partition, std::int64_t branches, const Movement& movement) override;

 private:
  CycleSettings settings_;
  std::shared_ptr<NodeDram> dram_;
  std::shared_ptr<RingTimes> rings_;
};

}  // namespace pimsweep::systems::allspark::cycle
