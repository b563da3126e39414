#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <span>

#include "base/words.h"
#include "hardware/dram/dram.h"
#include "hardware/dram/pattern.h"
#include "hardware/dram/request.h"
#include "hardware/dram/result.h"

namespace pimsweep::hardware::dram {

/// First ready, first come first served, as in Ramulator 2.1: a ready PRE or ACT counts as much as a ready RD.
/// fr_fcfs_row_hit keeps a row open while an older request of the same queue wants it.
enum class Scheduler : std::uint8_t { fr_fcfs, fr_fcfs_row_hit };
inline constexpr std::array scheduler_words{Word{"FRFCFS", Scheduler::fr_fcfs},
                                            Word{"FRFCFS-RowHit", Scheduler::fr_fcfs_row_hit}};

/// When a row is closed: an open row stays open until a request wants another one.
enum class RowPolicy : std::uint8_t { open };
inline constexpr std::array row_policy_words{Word{"Open", RowPolicy::open}};

struct ControllerOptions {
  Scheduler scheduler = Scheduler::fr_fcfs;
  bool refresh = true;
  RowPolicy row_policy = RowPolicy::open;
  std::int64_t read_queue = 32;
  std::int64_t write_queue = 32;
  /// Whether whole periods of regular traffic are skipped, which changes nothing but the time that it takes.
  bool skip_periods = true;
};

/// Offers one request a clock to the controller of a channel and runs until all are done. Time jumps over clocks in
/// which nothing can happen. Both queues hold at least one request; with refresh, the interval must be longer than
/// Rules::refresh_blocks() times the domains. Of a traffic for several channels, only the part of one. Rules:
/// docs/dram.md.
Result simulate(const Dram& dram, const ControllerOptions& options, const Traffic& traffic, std::int64_t channel = 0);
Result simulate(const Dram& dram, const ControllerOptions& options, std::span<const Request> requests);

}  // namespace pimsweep::hardware::dram
