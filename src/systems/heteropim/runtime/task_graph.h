#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace pimsweep::systems::heteropim::runtime {

/// What an operation needs (Hetero-PIM, Sec. III-B and Fig. 2).
enum class TaskKind : std::uint8_t {
  /// No work: variables, fed tensors, constants, views.
  none,
  /// Multiplications and additions alone: fixed-function units can do it.
  fixed,
  /// Both: a kernel of the programmable PIM that calls fixed-function units (Fig. 6).
  recursive,
  /// Anything else.
  programmable,
};

/// One operation as the runtime sees it. All times in seconds, without launches.
struct Task {
  TaskKind kind = TaskKind::none;
  /// Most pairs of multiplier and adder that it can use at once.
  std::uint32_t pairs = 0;
  /// On the host: everything, and the part of it in which the host waits for memory.
  double host = 0;
  double host_movement = 0;
  /// On one programmable PIM.
  double programmable = 0;
  /// Its multiplications and additions on a single pair, and the least time that the stack's bandwidth allows.
  double pair_work = 0;
  double streaming = 0;
  /// What is left of a recursive task for the host or the programmable PIM, before and after the pairs' part together.
  double phases_on_host = 0;
  double phases_on_programmable = 0;
  /// What host and programmable PIM take from the stack meanwhile, and what both phases take: seconds in which its
  /// whole bandwidth would deliver that.
  double host_streaming = 0;
  double programmable_streaming = 0;
  double phase_streaming = 0;
};

/// Tasks of one training step with their dependencies, flat (compressed rows). `carried` are dependencies into the next
/// step: from whoever writes a variable to whoever reads it then.
struct TaskGraph {
  std::vector<Task> tasks;
  std::vector<std::uint32_t> waits_for;
  std::vector<std::uint32_t> successor_begin;
  std::vector<std::uint32_t> successors;
  std::vector<std::uint32_t> carried_waits_for;
  std::vector<std::uint32_t> carried_begin;
  std::vector<std::uint32_t> carried;

  std::uint32_t size() const { return static_cast<std::uint32_t>(tasks.size()); }
  std::span<const std::uint32_t> after(std::uint32_t task) const {
    return std::span(successors).subspan(successor_begin[task], successor_begin[task + 1] - successor_begin[task]);
  }
  std::span<const std::uint32_t> after_in_next_step(std::uint32_t task) const {
    return std::span(carried).subspan(carried_begin[task], carried_begin[task + 1] - carried_begin[task]);
  }
  /// Sets all dependencies; within a step they go from smaller to larger indices.
  void connect(std::span<const std::pair<std::uint32_t, std::uint32_t>> within_step,
               std::span<const std::pair<std::uint32_t, std::uint32_t>> into_next_step);
};

}  // namespace pimsweep::systems::heteropim::runtime
