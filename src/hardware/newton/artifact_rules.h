#pragma once

#include <algorithm>
#include <cstdint>

#include "hardware/newton/dram.h"

namespace pimsweep::hardware::newton {

/// Minimum distances in clocks between commands of a channel, as enforced by the artifact's simulator. Commands issue
/// in order, at most one per clock, without other constraints (no precharge, tRAS or tRC between two G_ACT sets).
struct ArtifactRules {
  std::int64_t gwrite_next;  ///< GWRITE to GWRITE and to G_ACT
  std::int64_t gwrite_comp;
  std::int64_t act_act;  ///< G_ACT to the next G_ACT of its set
  std::int64_t act_comp;
  std::int64_t comp_comp;
  std::int64_t comp_readres;
  std::int64_t readres_gwrite;
  std::int64_t prea_act;  ///< PREA to the first G_ACT of a set and to REF
  std::int64_t ref_act;   ///< REF to the first G_ACT of a set and to REF
  std::int64_t refresh_interval;
  std::int64_t drain;  ///< READRES to the end of its data
  std::int64_t activations;

  /// With `hiding` the next G_ACT does not wait for the data of a GWRITE.
  ArtifactRules(const Dram& dram, bool hiding)
      : gwrite_next(hiding ? 1 : dram.columns * dram.nCCD),
        gwrite_comp(dram.nRC + dram.gwrite_to_comp),
        act_act(std::max<std::int64_t>(1, dram.nFAW)),
        act_comp(dram.nRCD),
        comp_comp(std::max<std::int64_t>(1, dram.nCCD)),
        comp_readres(std::max<std::int64_t>(1, dram.comp_to_readres)),
        readres_gwrite(dram.readres_to_gwrite),
        prea_act(std::max<std::int64_t>(1, dram.nRP)),
        ref_act(dram.nRFC),
        refresh_interval(dram.nREFI),
        drain(dram.nCL + dram.nBL),
        activations(dram.activations()) {}
};

/// A clock so early that no distance from it reaches clock 1.
inline constexpr std::int64_t long_ago = -(std::int64_t{1} << 60);

/// The refreshes of a channel: one is requested every refresh interval, and served when the PIM commands allow it.
class ArtifactRefresh {
 public:
  explicit ArtifactRefresh(const ArtifactRules& rules) : rules_(rules) {}

  /// First clock at which an unserved REF is pending.
  std::int64_t due() const { return due_; }
  /// First clock at which the first G_ACT of a set may issue.
  std::int64_t act_from() const { return std::max(prea_ + rules_.prea_act, ref_ + rules_.ref_act); }
  /// First clock at which a REF may follow another REF.
  std::int64_t ref_from() const { return ref_ + rules_.ref_act; }
  bool banks_open() const { return open_; }
  void banks_opened() { open_ = true; }
  std::int64_t prea_count() const { return prea_count_; }
  std::int64_t ref_count() const { return ref_count_; }

  /// Advances by `clocks`, with these numbers of PREAs and REFs, to an equivalent state.
  void skip(std::int64_t clocks, std::int64_t preas, std::int64_t refs) {
    due_ += clocks;
    prea_ += clocks;
    ref_ += clocks;
    prea_count_ += preas;
    ref_count_ += refs;
  }

  /// Serves every pending REF after a READRES at `readres`; returns the first clock for the next PIM command.
  std::int64_t after_readres(std::int64_t readres) {
    std::int64_t next = readres + 1;
    while (due_ <= next) next = serve(next) + 1;
    return next;
  }

  /// Serves the REFs requested until the end of a trace with its last READRES at `readres`; returns the end.
  std::int64_t finish(std::int64_t readres) {
    std::int64_t end = std::max(readres + rules_.drain, ref_);
    std::int64_t next = readres + 1;
    while (due_ <= end) {
      const std::int64_t ref = serve(std::max(due_, next));
      next = ref + 1;
      end = std::max(end, ref);
    }
    return end;
  }

 private:
  /// Closes the banks at `clock` if they are open and refreshes; returns the clock of REF.
  std::int64_t serve(std::int64_t clock) {
    std::int64_t ref = std::max(clock, ref_ + rules_.ref_act);
    if (open_) {
      prea_ = clock;
      open_ = false;
      ++prea_count_;
      ref = std::max(clock + rules_.prea_act, ref_ + rules_.ref_act);
    }
    ref_ = ref;
    ++ref_count_;
    due_ += rules_.refresh_interval;
    return ref_;
  }

  const ArtifactRules& rules_;
  std::int64_t due_ = rules_.refresh_interval;
  std::int64_t prea_ = long_ago;
  std::int64_t ref_ = long_ago;
  bool open_ = false;
  std::int64_t prea_count_ = 0;
  std::int64_t ref_count_ = 0;
};

}  // namespace pimsweep::hardware::newton
