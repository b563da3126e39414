#pragma once

#include "hardware/attention_pim/device.h"

namespace pimsweep::hardware::attention_pim::attacc {

/// The HBM3 stack of AttAcc's artifact at 5.2 Gbit/s (HBM3-PIM.cpp:27-36, ramulator_wrapper.py:24, config.py:26-60;
/// commit c600051). Its energies are those of a bit from FGDRAM (MICRO'17).
inline Device stack() {
  constexpr double pj_per_bit = 8e-12;
  return {.clock = 1 / 0.769e-9,
          .channels = 16,
          .pseudo_channels = 2,
          .ranks = 2,
          .bank_groups = 4,
          .banks = 4,
          .columns = 32,
          .column_bytes = 32,
          .barrier_rows = 16,
          .nBL = 2,
          .nCCDS = 2,
          .nCCDL = 4,
          .nMAC = 4,
          .nMAC_power_limit = 6,
          .nRCD = 19,
          .nRP = 19,
          .nRAS = 45,
          .nRTP = 8,
          .nRFC = 455,
          .nREFI = 5070,
          .energy = {.activate = 0.11 * pj_per_bit,
                     .cell_read = 0.44 * pj_per_bit,
                     .bank_group_mux = 1.01 * pj_per_bit,
                     .global_io = 1.23 * pj_per_bit,
                     .tsv = 0.5 * pj_per_bit,
                     .interposer = 0.3 * pj_per_bit,
                     .multiply = 0.32e-12}};
}

}  // namespace pimsweep::hardware::attention_pim::attacc
