#pragma once

#include "hardware/aim/device.h"

namespace pimsweep::test {

/// A GDDR6-AiM device of CENT: timing of aim_simulator's preset GDDR6_AiM_timing (GDDR6.cpp:183-222, commit 0f28a07;
/// the clocks of a register are what its traces take) and powers of CENT's cent_power_calculator.py:57-71 and 125
/// (commit 8c79786).
inline hardware::aim::Device aim_device() {
  return {.clock = 2e9,
          .channels = 32,
          .banks = 16,
          .lanes = 16,
          .row_elements = 1024,
          .registers = 32,
          .timing = {.nCCD = 2,
                     .nRCD = 56,
                     .nRP = 32,
                     .nRAS = 54,
                     .nRTP = 12,
                     .mode_change = 32,
                     .bias = 2,
                     .result = 3,
                     .nREFI = 3333,
                     .nRFC = 210},
          .power = {.activate = 66.3e-3 * 44.5e-9,
                    .multiply = 3 * 438.15e-3 * 1e-9,
                    .read = 438.15e-3 * 1.25e-9,
                    .write = 553.15e-3 * 1.25e-9,
                    .pin_bit = 5.5e-12,
                    .column_bits = 256,
                    .standby_active = 263.75e-3,
                    .standby_precharged = 183.15e-3}};
}

}  // namespace pimsweep::test
