#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/words.h"

namespace pimsweep::hardware::dram {

/// Standard whose command rules a channel follows (differences: rules.h).
enum class Standard : std::uint8_t { ddr4, gddr6, hbm2 };
inline constexpr std::array standard_words{Word{"DDR4", Standard::ddr4}, Word{"GDDR6", Standard::gddr6},
                                           Word{"HBM2", Standard::hbm2}};

/// Minimum distances in cycles of the command bus, named as by JEDEC (tXX in seconds is nXX in cycles).
struct Timing {
  std::int64_t nBL = 0;     ///< data of one access on the bus
  std::int64_t nCL = 0;     ///< RD to its data
  std::int64_t nCWL = 0;    ///< WR to its data
  std::int64_t nRCDRD = 0;  ///< ACT to RD
  std::int64_t nRCDWR = 0;  ///< ACT to WR
  std::int64_t nRP = 0;     ///< PRE to ACT
  std::int64_t nRAS = 0;    ///< ACT to PRE
  std::int64_t nRC = 0;     ///< ACT to ACT of a bank
  std::int64_t nWR = 0;     ///< end of written data to PRE
  std::int64_t nRTP = 0;    ///< RD to PRE
  std::int64_t nCCDS = 0;   ///< RD to RD, WR to WR
  std::int64_t nCCDL = 0;   ///< RD to RD and WR to WR within a bank group
  std::int64_t nWTRS = 0;   ///< end of written data to RD
  std::int64_t nWTRL = 0;   ///< end of written data to RD within a bank group
  std::int64_t nRRDS = 0;   ///< ACT to ACT
  std::int64_t nRRDL = 0;   ///< ACT to ACT within a bank group
  std::int64_t nFAW = 0;    ///< any five ACTs take longer than this
  std::int64_t nRFC = 0;    ///< REF of all banks to ACT
  std::int64_t nREFI = 0;   ///< interval between REFs
  std::int64_t nPPD = 0;    ///< PRE to PRE (GDDR6)

  friend bool operator==(const Timing&, const Timing&) = default;
};

/// One channel. All counts are powers of two. A domain is a rank, or a pseudo-channel of HBM: it has its own data
/// timing and refresh.
struct Organization {
  std::int64_t domains = 1;
  std::int64_t groups = 1;  ///< bank groups per domain
  std::int64_t banks = 1;   ///< banks per group
  std::int64_t rows = 1;
  std::int64_t columns = 1;  ///< accesses per row
  std::int64_t access_bytes = 1;

  std::int64_t all_banks() const { return domains * groups * banks; }
  std::int64_t accesses() const { return all_banks() * rows * columns; }
  /// Number of a bank; the domain is the most significant part.
  std::int64_t bank(std::int64_t domain, std::int64_t group, std::int64_t index) const {
    return (domain * groups + group) * banks + index;
  }
  friend bool operator==(const Organization&, const Organization&) = default;
};

/// Maximum number of banks of a channel, so that a set of banks fits into a machine word.
inline constexpr std::int64_t max_banks = 64;
inline constexpr std::int64_t max_domains = 4;

/// Datasheet currents, and the energy of data movement that they do not include.
struct Power {
  double voltage = 0;        ///< VDD, V
  std::int64_t devices = 1;  ///< chips in lockstep
  double idd0 = 0;           ///< one bank activated and precharged every nRC, A per device
  double idd2n = 0;          ///< all banks closed
  double idd3n = 0;          ///< a bank open
  double idd4r = 0;          ///< back-to-back reads
  double idd4w = 0;          ///< back-to-back writes
  double idd5 = 0;           ///< back-to-back refreshes
  double data_energy =
      0;  ///< J/B moved: not covered by the currents (I/O, TSVs), or all energy where no current is published

  friend bool operator==(const Power&, const Power&) = default;
};

struct Dram {
  Standard standard = Standard::ddr4;
  double tCK = 1;  ///< period of the command clock, s
  Timing timing;
  Organization organization;
  Power power;

  friend bool operator==(const Dram&, const Dram&) = default;
};

}  // namespace pimsweep::hardware::dram
