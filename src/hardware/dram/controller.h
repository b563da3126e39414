#pragma once

#include <array>
#include <cstdint>

#include "base/words.h"

namespace pimsweep::hardware::dram {

/// First ready, first come first served, as in Ramulator 2.1: a ready PRE or ACT has the same priority as a ready RD.
/// fr_fcfs_row_hit keeps a row open as long as an older request of the same queue targets it, fr_fcfs_all_hits as long
/// as any request of the same queue does.
enum class Scheduler : std::uint8_t { fr_fcfs, fr_fcfs_row_hit, fr_fcfs_all_hits };
inline constexpr std::array scheduler_words{Word{"FRFCFS", Scheduler::fr_fcfs},
                                            Word{"FRFCFS-RowHit", Scheduler::fr_fcfs_row_hit},
                                            Word{"FRFCFS-AllHits", Scheduler::fr_fcfs_all_hits}};

/// Open: a row stays open until a request to the same bank needs another row. Closed: a row without waiting requests is
/// closed as soon as no other command can be issued.
enum class RowPolicy : std::uint8_t { open, closed };
inline constexpr std::array row_policy_words{Word{"Open", RowPolicy::open}, Word{"Closed", RowPolicy::closed}};

/// All banks of a domain at a time, or a few of them in turn while the others work.
enum class Refresh : std::uint8_t { none, all_bank, per_bank };
inline constexpr std::array refresh_words{Word{"AllBank", Refresh::all_bank}, Word{"PerBank", Refresh::per_bank},
                                          Word{"No", Refresh::none}};

struct ControllerOptions {
  Scheduler scheduler = Scheduler::fr_fcfs;
  Refresh refresh = Refresh::all_bank;
  RowPolicy row_policy = RowPolicy::open;
  std::int64_t read_queue = 32;
  std::int64_t write_queue = 32;
  /// Shares of the write queue: above the first the controller switches to writes, below the second back to reads.
  double write_high = 0.8;
  double write_low = 0.2;
  /// Maximum number of hits of an open row that precede an older request for another row of the bank; 0: no limit.
  std::int64_t hit_cap = 0;
  /// Skip whole periods of regular traffic; affects only the run time of the simulation.
  bool skip_periods = true;

  /// True if banks are treated alike and by the state that Periods compares.
  bool has_periods() const { return row_policy == RowPolicy::open && hit_cap == 0 && refresh != Refresh::per_bank; }
};

}  // namespace pimsweep::hardware::dram
