#include "hardware/dram/rules.h"

#include <algorithm>

namespace pimsweep::hardware::dram {

Rules::Rules(const Dram& dram) {
  const Timing& t = dram.timing;
  const bool gddr6 = dram.standard == Standard::gddr6;
  const bool hbm = dram.standard == Standard::hbm2;
  // HBM's ACT takes two clocks of its bus and counts from the second.
  const std::int64_t after_act = hbm ? 1 : 0;
  const std::int64_t write = t.nCWL + t.nBL;

  rd_rd = wr_wr = std::max(t.nBL, t.nCCDS);
  rd_wr = gddr6 ? t.nCL + 1 : t.nCL + t.nBL + 2 - t.nCWL;
  wr_rd = write + t.nWTRS;
  act_act = t.nRRDS;
  four_act = t.nFAW;
  rd_preab = t.nRTP;
  wr_preab = write + t.nWR;
  act_preab = t.nRAS + after_act;
  preab_act = t.nRP - after_act;
  ref_act = t.nRFC - after_act;
  ref_preab = t.nRFC;
  act_ref = t.nRC + after_act;
  pre_ref = gddr6 ? never_binds : t.nRP;
  preab_ref = t.nRP;
  ref_ref = gddr6 ? t.nRFC : never_binds;
  pre_pre = gddr6 ? t.nPPD : never_binds;

  rd_rd_group = wr_wr_group = t.nCCDL;
  wr_rd_group = write + t.nWTRL;
  act_act_group = t.nRRDL;

  act_act_bank = t.nRC;
  act_rd_bank = t.nRCDRD + after_act;
  act_wr_bank = t.nRCDWR + after_act;
  act_pre_bank = t.nRAS + after_act;
  pre_act_bank = t.nRP - after_act;
  rd_pre_bank = t.nRTP;
  wr_pre_bank = write + t.nWR;

  read = t.nCL + t.nBL;
  act_bus = hbm ? 2 : 1;
  refresh_interval = t.nREFI;
  two_buses = hbm;
}

bool Rules::columns_follow_rows() const {
  const bool spaced = act_act >= std::max(rd_rd, wr_wr) && act_act_group >= std::max(rd_rd_group, wr_wr_group);
  return spaced && std::min({rd_pre_bank, wr_pre_bank, rd_preab, wr_preab}) > 0;
}

std::int64_t Rules::longest_column_rule() const {
  return std::max({rd_rd, wr_wr, rd_wr, wr_rd, rd_rd_group, wr_wr_group, wr_rd_group, act_rd_bank, act_wr_bank});
}

std::int64_t Rules::refresh_blocks() const {
  return act_ref + std::max(act_rd_bank + rd_pre_bank, act_wr_bank + wr_pre_bank) + preab_ref +
         std::max(ref_act, ref_preab);
}

}  // namespace pimsweep::hardware::dram
