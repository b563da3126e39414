#pragma once

#include <cstdint>
#include <map>

#include "hardware/dram/dram.h"
#include "hardware/noc/router/router_settings.h"
#include "systems/allspark/cycle/phase_times.h"

namespace pimsweep::systems::allspark::cycle {

/// What determines the sustained rates of streams and links.
struct SustainedSettings {
  /// One bank; its accesses have `access_bytes`, whatever the organization says.
  hardware::dram::Dram bank;
  /// Of all banks of a node together.
  double access_bytes = 1;
  double word_bytes = 1;
  double flit_bytes = 1;
  std::int64_t packet_flits = 1;
  hardware::noc::router::RouterSettings router;
  std::int64_t node_rows = 0;
  std::int64_t node_cols = 0;
  /// Whether DRAM reads, links and DRAM writes of a transfer overlap.
  bool pipelined = false;

  friend bool operator==(const SustainedSettings&, const SustainedSettings&) = default;
};

/// Clock cycles of a stream of adjacent accesses to one bank: the first access to a row waits for the activation, the
/// others follow each other, and refresh takes a share of the total. From the bank's analytic model
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
  explicit SustainedPhases(const SustainedSettings& settings);

  std::int64_t product_cycles(const hardware::pe_array::Gemm& gemm,
                              const hardware::pe_array::GemmMapping& mapping) override;
  std::int64_t movement_cycles(const Partition& partition, std::int64_t branches, const Movement& movement) override;

 private:
  /// Load of the network in one step of a movement.
  struct Way {
    /// Links that a chunk crosses in most steps, and in the longest step, which a chunk takes at most once.
    std::int64_t links = 1;
    std::int64_t longest = 1;
    /// Maximum transfers of a step over the same link.
    std::int64_t sharing = 1;
  };
  Way way(const Partition& partition, std::int64_t branches, Path path);
  /// Rings through several sub-arrays, link by link.
  Way around_group(const Partition& partition) const;
  /// Cycles of a chunk on an otherwise idle network.
  double alone(std::int64_t links, std::int64_t flits) const;

  SustainedSettings settings_;
  StreamTime read_;
  StreamTime write_;
  std::map<Partition, Way> groups_;
};

}  // namespace pimsweep::systems::allspark::cycle
