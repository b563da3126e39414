#pragma once

#include <array>
#include <cstdint>

#include "hardware/dram/rules.h"

namespace pimsweep::hardware::dram {

/// Column commands of active requests whose clocks are known, in clock order. Their effect on other columns is applied
/// only when the plan is dropped.
class ColumnPlan {
 public:
  struct Command {
    std::int64_t clock = 0;
    std::int64_t index = 0;  ///< number of the request in the traffic
    std::int32_t key = 0;
    bool write = false;
  };
  /// Capacity in clocks: at most one command is planned per clock.
  static constexpr std::int64_t clocks = 128;

  bool empty() const { return next_clock_ == never; }
  /// Clock of the next command; `never` if there is none.
  std::int64_t next_clock() const { return next_clock_; }
  /// True if a command has been planned since the plan was last dropped.
  bool begun() const { return begun_ != end_; }
  const Command& last() const { return at(end_ - 1); }

  void push(const Command& command) {
    if (empty()) next_clock_ = command.clock;
    at(end_++) = command;
  }
  /// Takes the next command.
  const Command& pop() {
    const Command& command = at(first_++);
    next_clock_ = first_ == end_ ? never : at(first_).clock;
    return command;
  }

  /// Ends the plan: calls `taken` for its commands after `clock` that were taken, and `left` for the remaining ones.
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
  /// Numbers of the first command not yet taken, of the end of the plan, and of the first command of the plan.
  std::uint32_t first_ = 0;
  std::uint32_t end_ = 0;
  std::uint32_t begun_ = 0;
  std::int64_t next_clock_ = never;
};

}  // namespace pimsweep::hardware::dram
