#pragma once

#include <cstdint>
#include <map>

#include "systems/allspark/cycle/phase_times.h"
#include "systems/allspark/machine.h"

namespace pimsweep::systems::allspark::cycle {

/// A bank as the formulas at sustained rates see it: rows of whole accesses. Throws PointError where refreshes leave no
/// time.
hardware::dram::Dram sustained_bank(const Machine& machine);

/// Clock cycles of a stream of adjacent accesses to one bank: the first access to a row waits for the activation, the
/// rest follow back to back, and refresh takes a share of the total. From the bank's analytic model
/// (hardware/dram/analytic.h).
class StreamTime {
 public:
  StreamTime(const hardware::dram::Dram& bank, bool write);

  double operator()(std::int64_t accesses) const;
  /// Accesses in a clock cycle, in the long run.
  double rate() const { return static_cast<double>(row_accesses_) / (row_ * refresh_); }

 private:
  std::int64_t row_accesses_;
  double first_;
  double access_;
  double row_;
  double refresh_;
};

/// Phases by formula at sustained instead of peak rates: with DRAM rows and refresh, and with links that several
/// transfers of a step share. The steps of a movement follow one another; each reads a chunk from DRAM, sends it and
/// writes it (Sec. V-B, Eq. 13 and 14 with sustained rates in place of 1 / BW).
class SustainedPhases final : public PhaseTimes {
 public:
  /// Throws PointError as sustained_bank() does.
  explicit SustainedPhases(const Machine& machine);

  std::int64_t gemm_cycles(const hardware::pe_array::Gemm& gemm,
                           const hardware::pe_array::GemmMapping& mapping) override;
  std::int64_t movement_cycles(const Partition& partition, std::int64_t branches, const Movement& movement) override;

 private:
  /// Load of the network in one step of a movement.
  struct Load {
    /// Links that a chunk crosses in most steps, and in the longest step, which a chunk takes at most once.
    std::int64_t links = 1;
    std::int64_t longest = 1;
    /// Maximum transfers of a step over the same link.
    std::int64_t sharing = 1;
  };
  Load load(const Partition& partition, std::int64_t branches, Path path);
  /// The load of rings through several sub-arrays, link by link.
  Load load_of_rings(const Partition& partition) const;
  /// Cycles of a chunk on an otherwise idle network.
  double unloaded_cycles(std::int64_t links, std::int64_t flits) const;

  Machine machine_;
  hardware::noc::router::RouterSettings router_;
  /// Bytes per cycle of all banks of the node.
  double access_bytes_;
  StreamTime read_;
  StreamTime write_;
  std::map<Partition, Load> ring_loads_;
};

}  // namespace pimsweep::systems::allspark::cycle
