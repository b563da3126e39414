#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "hardware/dram/constraints.h"
#include "hardware/dram/timing.h"

namespace pimsweep::hardware::dram {

/// One channel. All counts are powers of two. A domain is a rank, or a pseudo-channel of HBM: it has its own data
/// timing and refresh.
struct Organization {
  std::int64_t domains = 1;
  std::int64_t groups = 1;  ///< bank groups per domain
  std::int64_t banks = 1;   ///< banks per group
  std::int64_t rows = 1;
  std::int64_t columns = 1;  ///< accesses per row
  std::int64_t access_bytes = 1;
  /// Ranks, which share the data bus, among the domains: all of them or 1.
  std::int64_t ranks = 1;
  /// Stacks of dies (stack IDs of HBM) over which the groups of a domain are spread, neighbors in different ones.
  std::int64_t stacks = 1;

  std::int64_t all_banks() const { return domains * groups * banks; }
  std::int64_t accesses() const { return all_banks() * rows * columns; }
  /// REFpb that refresh all banks of a domain.
  std::int64_t bank_refreshes(std::int64_t refreshed_groups) const { return groups / refreshed_groups * banks; }
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

/// Command buses of a channel.
struct CommandBus {
  std::int64_t buses = 1;     ///< 2: column commands and row commands have separate buses (HBM)
  std::int64_t activate = 1;  ///< cycles that an ACT takes
  std::int64_t access = 1;    ///< cycles that an RD or WR takes
  std::int64_t grid = 1;      ///< all commands but precharges begin in a cycle that is 1 modulo this (1 or 2)
  /// Groups of a domain of which a REFpb refreshes the same bank, at equal distances.
  std::int64_t refreshed_groups = 1;

  friend bool operator==(const CommandBus&, const CommandBus&) = default;
};

struct Dram {
  std::string_view standard;
  double tCK = 1;  ///< period of the command clock, s
  Timing timing;
  CommandBus commands;
  std::shared_ptr<const Constraints> constraints;
  Organization organization;
  Power power;

  friend bool operator==(const Dram&, const Dram&) = default;
};

}  // namespace pimsweep::hardware::dram
