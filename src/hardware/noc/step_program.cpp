#include "hardware/noc/step_program.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace pimsweep::hardware::noc {

TaskId StepProgram::add(StepTask task, std::span<const TaskId> after) {
  if (!(task.amount >= 0) || !std::isfinite(task.amount)) {
    throw std::invalid_argument(fmt::format("task {}: {} {} is not a finite amount of work", size(), task.amount,
                                            task.is_computation() ? "s" : "B"));
  }
  for (const TaskId earlier : after) {
    if (earlier >= size()) {
      throw std::invalid_argument(
          fmt::format("task {} cannot come after task {}, which is not an earlier one", size(), earlier));
    }
  }
  tasks_.push_back(task);
  after_.insert(after_.end(), after.begin(), after.end());
  after_begin_.push_back(after_.size());
  return static_cast<TaskId>(size() - 1);
}

TaskId StepProgram::add_computation(double seconds, std::span<const TaskId> after) { return add({0, seconds}, after); }

TaskId StepProgram::add_exchange(std::size_t level, double bytes, std::span<const TaskId> after) {
  if (level == 0) throw std::invalid_argument(fmt::format("task {}: levels of exchanges count from 1", size()));
  return add({static_cast<std::uint32_t>(level), bytes}, after);
}

void StepProgram::clear() {
  tasks_.clear();
  after_.clear();
  after_begin_.resize(1);
}

}  // namespace pimsweep::hardware::noc
