#pragma once

#include <string>

#include "base/posix_file.h"
#include "base/toml.h"
#include "hardware/dram/dram.h"

namespace pimsweep::test {

/// Gives a channel the constraints and command buses of a file in configs/hardware.
inline void follow(hardware::dram::Dram& dram, const std::string& hardware) {
  const std::string path = "configs/hardware/" + hardware + ".toml";
  const toml::table file = parse_toml(read_file(path), path);
  dram.constraints = hardware::dram::parse_constraints(file["rules"]["value"].value_or(std::string()));
  const auto cycles = [&](const char* key) {
    return std::stoll(file["commands"][key]["value"].value_or(std::string("1 cycle")));
  };
  dram.commands = {file["commands"]["buses"]["value"].value_or(std::int64_t{1}), cycles("activate"), cycles("access"),
                   cycles("grid")};
}

/// DDR4-2400R, one rank of 8 Gb x8 chips, with the currents of Micron's MT40A1G8.
inline hardware::dram::Dram ddr4_2400() {
  hardware::dram::Dram dram;
  follow(dram, "dram-DDR4_2400R");
  dram.tCK = 0.833e-9;
  dram.timing = {.nBL = 4,
                 .nCL = 16,
                 .nCWL = 12,
                 .nRCDRD = 16,
                 .nRCDWR = 16,
                 .nRP = 16,
                 .nRAS = 39,
                 .nRC = 55,
                 .nWR = 18,
                 .nRTP = 9,
                 .nCCDS = 4,
                 .nCCDL = 6,
                 .nWTRS = 3,
                 .nWTRL = 9,
                 .nRRDS = 4,
                 .nRRDL = 6,
                 .nFAW = 26,
                 .nRFC = 433,
                 .nREFI = 9364};
  dram.organization = {.domains = 1, .groups = 4, .banks = 4, .rows = 65536, .columns = 128, .access_bytes = 64};
  dram.power = {.voltage = 1.2,
                .devices = 8,
                .idd0 = 0.048,
                .idd2n = 0.034,
                .idd3n = 0.043,
                .idd4r = 0.135,
                .idd4w = 0.123,
                .idd5 = 0.25,
                .data_energy = 0};
  return dram;
}

}  // namespace pimsweep::test
