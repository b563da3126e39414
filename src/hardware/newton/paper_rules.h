#pragma once

#include <algorithm>
#include <cstdint>

#include "hardware/newton/artifact_rules.h"
#include "hardware/newton/dram.h"

namespace pimsweep::hardware::newton {

/// Minimum distances in clocks between commands of a channel, as required by the paper and the DRAM.
struct PaperRules {
  bool hiding;
  std::int64_t column;  ///< a column access, or a column of a GWRITE's data
  std::int64_t comp_readres;
  std::int64_t readres_gwrite;
  std::int64_t act_act;
  std::int64_t act_comp;
  std::int64_t act_prea;
  std::int64_t comp_prea;
  std::int64_t prea_act;
  std::int64_t ref_act;
  std::int64_t refresh_interval;
  std::int64_t drain;
  std::int64_t activations;

  PaperRules(const Dram& dram, bool hide)
      : hiding(hide),
        column(std::max<std::int64_t>(1, dram.nCCD)),
        comp_readres(std::max<std::int64_t>(1, dram.comp_to_readres)),
        readres_gwrite(dram.readres_to_gwrite),
        act_act(std::max<std::int64_t>(1, dram.nFAW)),
        act_comp(std::max<std::int64_t>(1, dram.nRCD)),
        act_prea(dram.nRAS),
        comp_prea(dram.nRTP),
        prea_act(std::max<std::int64_t>(1, dram.nRP)),
        ref_act(dram.nRFC),
        refresh_interval(dram.nREFI),
        drain(dram.nCL + dram.nBL),
        activations(dram.activations()) {}
};

/// Row and refresh state of a channel.
class PaperRows {
 public:
  explicit PaperRows(const PaperRules& rules) : rules_(rules) {}

  bool open() const { return open_; }
  /// First clock at which an unserved REF is pending.
  std::int64_t due() const { return due_; }
  /// Last G_ACT of the last set.
  std::int64_t opened() const { return act_; }
  /// First clock at which the open row may be closed, given the last COMP.
  std::int64_t close_from(std::int64_t comp) const { return std::max(act_ + rules_.act_prea, comp + rules_.comp_prea); }
  /// First clock at which a G_ACT may follow a PREA or REF.
  std::int64_t act_from() const { return std::max({prea_ + rules_.prea_act, refresh_end(), act_ + rules_.act_act}); }
  std::int64_t refresh_end() const { return ref_ + rules_.ref_act; }

  void act(std::int64_t clock) {
    act_ = clock;
    open_ = true;
  }
  void close(std::int64_t clock) {
    prea_ = clock;
    open_ = false;
    ++prea_count_;
  }
  /// If a REF is pending, closes the row and refreshes after a set with this last COMP and READRES; returns the first
  /// clock for the next command.
  std::int64_t after_set(std::int64_t comp, std::int64_t readres) {
    std::int64_t next = readres + 1;
    while (due_ <= next) {
      if (open_) close(std::max(next, close_from(comp)));
      ref_ = std::max({next, prea_ + rules_.prea_act, refresh_end()});
      due_ += rules_.refresh_interval;
      ++ref_count_;
      next = ref_ + 1;
    }
    return next;
  }
  /// Advances by `clocks`, with this number of PREAs but no REF.
  void skip(std::int64_t clocks, std::int64_t preas) {
    prea_ += clocks;
    act_ += clocks;
    prea_count_ += preas;
  }
  /// Advances by `clocks`, with these numbers of PREAs and REFs, to an equivalent state.
  void skip(std::int64_t clocks, std::int64_t preas, std::int64_t refs) {
    skip(clocks, preas);
    due_ += clocks;
    ref_ += clocks;
    ref_count_ += refs;
  }
  std::int64_t prea_count() const { return prea_count_; }
  std::int64_t ref_count() const { return ref_count_; }

 private:
  const PaperRules& rules_;
  std::int64_t due_ = rules_.refresh_interval;
  std::int64_t act_ = long_ago;
  std::int64_t prea_ = long_ago;
  std::int64_t ref_ = long_ago;
  bool open_ = false;
  std::int64_t prea_count_ = 0;
  std::int64_t ref_count_ = 0;
};

}  // namespace pimsweep::hardware::newton
