#pragma once

#include <cstdint>

#include "base/checked.h"
#include "hardware/newton/dram.h"

namespace pimsweep::hardware::newton {

/// Issued commands. G_ACTs are counted individually: a set consists of as many as it takes to open a row in all banks.
struct Counts {
  Count gwrite = 0;
  /// Global buffers that the GWRITEs fill: one each, or more with GWRITE_2 and GWRITE_4.
  Count buffers = 0;
  Count g_act = 0;
  Count comp = 0;
  Count readres = 0;
  Count prea = 0;
  Count ref = 0;

  Counts& operator+=(const Counts& other) {
    gwrite += other.gwrite;
    buffers += other.buffers;
    g_act += other.g_act;
    comp += other.comp;
    readres += other.readres;
    prea += other.prea;
    ref += other.ref;
    return *this;
  }
  friend bool operator==(const Counts&, const Counts&) = default;
};

/// Energy of these commands in J. A COMP works in all banks.
double energy(const Counts& counts, const Dram& dram);

/// Time and commands of a channel.
struct Run {
  /// Clocks of the command bus.
  std::int64_t cycles = 0;
  Counts counts;
  friend bool operator==(const Run&, const Run&) = default;
};

}  // namespace pimsweep::hardware::newton
