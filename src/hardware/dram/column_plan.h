#pragma once

#include <array>
#include <cstdint>

#include "hardware/dram/rules.h"

namespace pimsweep::hardware::dram {

/// Column commands of active requests whose clocks are known, in the order of these. What they mean for other columns
/// is not asked for until the plan is dropped.
class ColumnPlan {
 public:
  struct Command {
    std::int64_t clock = 0;
    std::int64_t index = 0;  ///< number of the request in the traffic
    std::int32_t key = 0;
    bool write = false;
  };
  /// Clocks within which all commands are remembered, as there is one a clock at most.
  static constexpr std::int64_t clocks = 128;

  bool empty() const { return next_clock_ == never; }
  /// Clock of the next one; `never` if there is none.
  std::int64_t next_clock() const { return next_clock_; }
  /// Whether a command was planned since the plan was dropped.
  bool begun() const { return begun_ != end_; }
  const Command& last() const { return at(end_ - 1); }

  void push(const Command& command) {
    if (empty()) next_clock_ = command.clock;
    at(end_++) = command;
  }
  /// Takes the next one.
  const Command& pop() {
    const Command& command = at(first_++);
    next_clock_ = first_ == end_ ? never : at(first_).clock;
    return command;
  }

  /// Ends the plan: calls `taken` with its commands after a clock that were taken, and `left` with all others.
  template <typename Taken, typename Left>
  void drop(std::int64_t after, Taken taken, Left left) {
    for (std::uint32_t i = first_; i != begun_ && at(i - 1).clock > after; --i) taken(at(i - 1));
    for (; first_ != end_; ++first_) left(at(first_));
    begun_ = end_;
    next_clock_ = never;
  }

 private:
  Command& at(std::uint32_t number) { return commands_[number % clocks]; }
  const Command& at(std::uint32_t number) const { return commands_[number % clocks]; }

  std::array<Command, clocks> commands_{};
  /// Numbers of the first one that was not taken, of the one after the last, and of the first one of the plan.
  std::uint32_t first_ = 0;
  std::uint32_t end_ = 0;
  std::uint32_t begun_ = 0;
  std::int64_t next_clock_ = never;
};

}  // namespace pimsweep::hardware::dram
