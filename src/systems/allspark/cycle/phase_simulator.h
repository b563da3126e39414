#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>

#include "systems/allspark/cycle/node_dram.h"
#include "systems/allspark/cycle/phase_times.h"
#include "systems/allspark/cycle/ring_network.h"

namespace pimsweep::allspark {

/// What cycle-by-cycle costs need beside the machine.
struct CycleSettings {
  hardware::dram::Dram bank;
  std::int64_t banks = 1;
  double word_bytes = 1;
  std::int64_t node_rows = 0;
  std::int64_t node_cols = 0;
  noc::RouterSettings router;
  noc::PacketFormat format;
  /// Whether DRAM reads, links and DRAM writes of a transfer overlap.
  bool pipelined = false;

  friend bool operator==(const CycleSettings&, const CycleSettings&) = default;
};

/// The phases of a schedule on simulated routers and DRAM (fidelity "cycle"). Phases of the same size are simulated
/// once.
class PhaseSimulator final : public PhaseTimes {
 public:
  explicit PhaseSimulator(const CycleSettings& settings);
  /// With the DRAM of another one with the same banks and words.
  PhaseSimulator(const CycleSettings& settings, std::shared_ptr<NodeDram> dram);

  const CycleSettings& settings() const { return settings_; }
  const std::shared_ptr<NodeDram>& dram() const { return dram_; }

  std::int64_t product_cycles(const hardware::Gemm& gemm, const hardware::GemmMapping& mapping) override;
  std::int64_t movement_cycles(const Partition& partition, std::int64_t branches, const Movement& movement) override;

 private:
  /// Of the links and routers alone.
  double network_cycles(const Partition& partition, std::int64_t branches, Path path, std::int64_t steps,
                        std::int64_t flits);
  RingProgram program_of(const Partition& partition, std::int64_t branches, Path path, std::int64_t steps) const;

  CycleSettings settings_;
  std::shared_ptr<NodeDram> dram_;
  RingNetwork network_;
  /// Everything that a program depends on: for rings in a line their length, else sub-arrays, their number and path.
  using Shape = std::tuple<Path, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
  std::map<Shape, RingNetwork::Pace> paces_;
  std::map<std::pair<Shape, std::int64_t>, double> short_chunks_;
};

}  // namespace pimsweep::allspark
