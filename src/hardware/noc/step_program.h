#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace pimsweep::hardware::noc {

/// Number of a task in its program, from 0.
using TaskId = std::uint32_t;

/// A computation on every accelerator, or an exchange at one level.
struct StepTask {
  /// Level of an exchange; 0 for a computation.
  std::uint32_t level = 0;
  /// Seconds of a computation, or bytes of each pair of an exchange.
  double amount = 0;

  bool is_computation() const { return level == 0; }
};

/// One step, the same on all accelerators: tasks in program order, each of which depends only on earlier ones.
class StepProgram {
 public:
  /// Adds a task that may start once all tasks of `after` have ended, and returns its number. Throws
  /// std::invalid_argument if a task of `after` is not an earlier one, if the amount is negative or not finite, or if
  /// the level of an exchange is 0.
  /// the level of an exchange is 0.
  TaskId add_computation(double seconds, std::span<const TaskId> after);
  TaskId add_exchange(std::size_t level, double bytes, std::span<const TaskId> after);
  TaskId add_computation(double seconds, std::initializer_list<TaskId> after = {}) {
    return add_computation(seconds, std::span<const TaskId>(after.begin(), after.size()));
  }
  TaskId add_exchange(std::size_t level, double bytes, std::initializer_list<TaskId> after = {}) {
    return add_exchange(level, bytes, std::span<const TaskId>(after.begin(), after.size()));
  }

  /// Removes all tasks and keeps the memory.
  void clear();

  std::size_t size() const { return tasks_.size(); }
  const StepTask& operator[](TaskId task) const { return tasks_[task]; }
  std::span<const TaskId> after(TaskId task) const {
    return std::span(after_).subspan(after_begin_[task], after_begin_[task + 1] - after_begin_[task]);
  }

 private:
  TaskId add(StepTask task, std::span<const TaskId> after);

  std::vector<StepTask> tasks_;
  std::vector<TaskId> after_;
  std::vector<std::size_t> after_begin_{0};
};

}  // namespace pimsweep::hardware::noc
