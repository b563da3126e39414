#pragma once

#include <array>
#include <cstdint>

#include "base/words.h"

namespace pimsweep::hardware::dram {

/// First ready, first come first served, as in Ramulator 2.1: a ready PRE or ACT has the same priority as a ready RD.
/// fr_fcfs_row_hit keeps a row open as long as an older request of the same queue targets it.
enum class Scheduler : std::uint8_t { fr_fcfs, fr_fcfs_row_hit };
inline constexpr std::array scheduler_words{Word{"FRFCFS", Scheduler::fr_fcfs},
                                            Word{"FRFCFS-RowHit", Scheduler::fr_fcfs_row_hit}};

/// Open: a row stays open until a request to the same bank needs another row.
enum class RowPolicy : std::uint8_t { open };
inline constexpr std::array row_policy_words{Word{"Open", RowPolicy::open}};

struct ControllerOptions {
  Scheduler scheduler = Scheduler::fr_fcfs;
  bool refresh = true;
  RowPolicy row_policy = RowPolicy::open;
  std::int64_t read_queue = 32;
  std::int64_t write_queue = 32;
  /// Skip whole periods of regular traffic; affects only the run time of the simulation.
  bool skip_periods = true;
};

}  // namespace pimsweep::hardware::dram
