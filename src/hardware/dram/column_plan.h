#pragma once

#include <array>
#include <cstdint>

#include "hardware/dram/lanes.h"
#include "hardware/dram/rules.h"

namespace pimsweep::hardware::dram {

/// Column commands of active requests whose clocks are known, in the order of these. Holds one for each lane.
class ColumnPlan {
 public:
  struct Command {
    std::int64_t clock = 0;
    std::int64_t index = 0;  ///< number of the request in the traffic
    std::int32_t key = 0;
    bool write = false;
  };

  bool empty() const { return next_clock_ == never; }
  /// Clock of the next one; `never` if there is none.
  std::int64_t next_clock() const { return next_clock_; }
  const Command& last() const { return commands_[(end_ - 1) % max_lanes]; }

  void push(const Command& command) {
    if (empty()) next_clock_ = command.clock;
    commands_[end_++ % max_lanes] = command;
  }
  /// Takes the next one.
  Command pop() {
    const Command& command = commands_[first_++ % max_lanes];
    next_clock_ = first_ == end_ ? never : commands_[first_ % max_lanes].clock;
    return command;
  }

 private:
  std::array<Command, max_lanes> commands_{};
  /// Numbers of the first one and of the one after the last.
  std::uint32_t first_ = 0;
  std::uint32_t end_ = 0;
  std::int64_t next_clock_ = never;
};

}  // namespace pimsweep::hardware::dram
