#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hardware/dram/controller.h"
#include "hardware/dram/device.h"
#include "hardware/dram/dram.h"
#include "hardware/dram/lanes.h"
#include "hardware/dram/request.h"
#include "hardware/dram/request_queue.h"
#include "hardware/dram/rules.h"

namespace pimsweep::hardware::dram {

/// What a channel's future depends on, but for planned column commands and the latest clock in the result.
class ChannelState {
 public:
  /// Memory that a copy takes.
  std::size_t bytes() const {
    std::size_t bytes = sizeof(*this) - sizeof(queues_);
    for (const RequestQueue& queue : queues_) bytes += queue.bytes();
    return bytes;
  }

 protected:
  friend class Periods;
  using Clock = Device::Clock;

  ChannelState(const Dram& dram, const Rules& rules, const ControllerOptions& options)
      : device_(dram.organization, rules),
        next_refresh_(options.refresh ? rules.refresh_interval : never),
        queues_{RequestQueue(options.read_queue, false), RequestQueue(options.write_queue, true)} {
    for (Lanes& keys : active_keys_) keys.at.fill(no_key);
    for (Lanes& keys : row_keys_) keys.at.fill(no_key);
  }

  Device device_;

  std::int64_t next_refresh_;
  /// Pending refreshes; that of `first_refresh_` comes first, those of the other domains follow in turn.
  std::int32_t pending_refreshes_ = 0;
  std::int32_t first_refresh_ = 0;

  std::array<RequestQueue, 2> queues_;  ///< reads, writes
  bool write_mode_ = false;
  /// Whether it is time to turn to the other queue.
  bool must_switch_ = true;
  /// Requests whose row has been opened and that wait for their column command, by lane: their numbers in the traffic.
  std::array<std::int64_t, max_lanes> active_{};
  /// Banks with an active request that reads and that writes, one bit each, and their keys by lane.
  std::array<std::uint64_t, 2> active_banks_{};
  std::array<Lanes, 2> active_keys_;
  /// Keys of the requests that want a row command, by queue and lane.
  std::array<Lanes, 2> row_keys_;
  /// Number of the next request; see max_number.
  std::int32_t number_ = 0;

  /// The request that is offered, while it has not entered a queue.
  Request request_;
  std::int32_t lane_ = 0;
  std::int64_t index_ = 0;  ///< of request_
  bool held_ = false;
  /// The queue of request_ was full and has not moved since.
  bool refused_ = false;
  std::int64_t unserved_ = 0;
  /// Numbers of the requests that wait, summed up.
  std::int64_t numbers_ = 0;

  std::int64_t cycle_ = 0;
  std::int64_t base_ = 0;
  /// The clock after the base at which a command may be issued, and that which the waits of what comes next count from.
  Clock now_ = 0;
  Clock planned_ = 0;
  /// What comes next, or, of two buses, on that of column commands and on that of row commands.
  std::int32_t next_ = no_key;
  std::int32_t next_row_ = no_key;
  /// Nothing can be issued before this clock.
  std::int64_t wake_ = never;
  std::int64_t last_answer_ = long_ago;
};

}  // namespace pimsweep::hardware::dram
