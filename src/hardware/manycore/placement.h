#pragma once

namespace pimsweep::hardware::manycore {

struct Device;

/// compact: threads with neighboring numbers share a tile. spread: one thread on each tile before any tile gets a
/// second.
enum class Affinity { compact, spread };

/// Placement of one operation's threads; every core gets one before any core gets a second hardware thread.
struct Placement {
  double threads = 1;
  double cores = 1;
  double tiles = 1;
  /// Threads on the fullest tile and on the fullest core.
  double threads_per_tile = 1;
  double threads_per_core = 1;
};

/// `threads` is at least 1 and at most cores x smt.
Placement place(const Device& device, double threads, Affinity affinity);

}  // namespace pimsweep::hardware::manycore
