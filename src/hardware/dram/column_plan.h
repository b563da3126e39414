#pragma once

#include <array>
#include <cstddef>
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

  bool empty() const { return size_ == 0; }
  /// Clock of the next one; `never` if there is none.
  std::int64_t next_clock() const { return next_clock_; }
  const Command& last() const { return commands_[(first_ + size_ - 1) % max_lanes]; }

  void push(const Command& command) {
    if (empty()) next_clock_ = command.clock;
    commands_[(first_ + size_++) % max_lanes] = command;
  }
  /// Takes the next one.
  Command pop() {
    const Command& command = commands_[first_];
    first_ = (first_ + 1) % max_lanes;
    next_clock_ = --size_ == 0 ? never : commands_[first_].clock;
    return command;
  }

 private:
  std::array<Command, max_lanes> commands_{};
  std::size_t first_ = 0;
  std::size_t size_ = 0;
  std::int64_t next_clock_ = never;
};

}  // namespace pimsweep::hardware::dram
