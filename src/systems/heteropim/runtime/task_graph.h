#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace pimsweep::systems::heteropim::runtime {

/// The units that an operation needs (Hetero-PIM, Sec. III-B and Fig. 2).
enum class TaskKind : std::uint8_t {
  /// No work: variables, fed tensors, constants, views.
  none,
  /// Multiplications and additions alone: fixed-function units suffice.
  fixed,
  /// Both: a kernel of the programmable PIM that calls fixed-function units (Fig. 6).
  recursive,
  /// Anything else.
  programmable,
};

/// One operation as the runtime sees it. All times in seconds, without launches.
struct Task {
  TaskKind kind = TaskKind::none;
  /// Maximum number of pairs of multiplier and adder that the task can use at once.
  std::uint32_t pairs = 0;
  /// The whole task on the host, and the part of that time in which the host waits for memory.
  double host = 0;
  double host_movement = 0;
  /// The whole task on one programmable PIM.
  double programmable = 0;
  /// Multiplications and additions on a single pair, and the minimum time by the bandwidth of the stack.
  double pair_work = 0;
  double streaming = 0;
  /// Both phases of a recursive task together, before and after the part on pairs, on host or programmable PIM.
  double phases_on_host = 0;
  double phases_on_programmable = 0;
  /// Data that host, programmable PIM and both phases take from the stack, in seconds of the stack's whole bandwidth.
  double host_streaming = 0;
  double programmable_streaming = 0;
  double phase_streaming = 0;
};

/// Tasks of one training step with dependencies in compressed rows. `carried` are dependencies into the next step, from
/// the writer of a variable to its readers.
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
  /// Sets all dependencies. Within a step they lead from smaller to larger indices.
  void connect(std::span<const std::pair<std::uint32_t, std::uint32_t>> within_step,
               std::span<const std::pair<std::uint32_t, std::uint32_t>> into_next_step);
};

}  // namespace pimsweep::systems::heteropim::runtime
