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

/// The state that determines the future of a channel, except for planned column commands and the latest clock in the
/// result.
class ChannelState {
 public:
  /// Memory used by a copy.
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
        next_refresh_(options.refresh == Refresh::all_bank   ? rules.refresh_interval
                      : options.refresh == Refresh::per_bank ? rules.bank_refresh_interval
                                                             : never),
        queues_{RequestQueue(options.read_queue, false), RequestQueue(options.write_queue, true)} {
    for (Lanes& keys : active_keys_) keys.at.fill(no_key);
    for (Lanes& keys : row_keys_) keys.at.fill(no_key);
  }

  Device device_;

  std::int64_t next_refresh_;
  /// Pending refreshes: the next one is that of `first_refresh_`; other domains follow cyclically.
  std::int32_t pending_refreshes_ = 0;
  std::int32_t first_refresh_ = 0;
  /// Pending refreshes of banks; those of the first one, which take no requests, as a bit set; and its number.
  std::int64_t pending_bank_refreshes_ = 0;
  std::uint64_t refreshed_ = 0;
  std::int32_t bank_refresh_ = 0;

  std::array<RequestQueue, 2> queues_;  ///< reads, writes
  bool write_mode_ = false;
  /// The controller must switch to the other queue.
  bool must_switch_ = true;
  /// Requests whose row has been opened and that wait for their column command, by lane: their numbers in the traffic.
  std::array<std::int64_t, max_lanes> active_{};
  /// Banks with an active read, and with an active write, as bit sets; and their keys by lane.
  std::array<std::uint64_t, 2> active_banks_{};
  std::array<Lanes, 2> active_keys_;
  /// Keys of the requests that need a row command, by queue and lane.
  std::array<Lanes, 2> row_keys_;
  /// Number of the next request; see max_number.
  std::int32_t number_ = 0;

  /// The offered request, until it enters a queue.
  Request request_;
  std::int32_t lane_ = 0;
  std::int64_t index_ = 0;  ///< number of request_ in the traffic
  bool held_ = false;
  /// The queue of request_ was full and has not changed since.
  bool refused_ = false;
  std::int64_t unserved_ = 0;
  /// Sum of the numbers of all waiting requests.
  std::int64_t numbers_ = 0;

  std::int64_t cycle_ = 0;
  std::int64_t base_ = 0;
  /// Clocks relative to the base: the current one, and the one from which the waits of the next commands are counted.
  Clock now_ = 0;
  Clock planned_ = 0;
  /// The next command; with two buses, the next column command and the next row command.
  std::int32_t next_ = no_key;
  std::int32_t next_row_ = no_key;
  /// No command can be issued before this clock.
  std::int64_t wake_ = never;
  std::int64_t last_answer_ = long_ago;
};

}  // namespace pimsweep::hardware::dram
