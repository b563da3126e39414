#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "systems/heteropim/runtime/task_graph.h"

namespace pimsweep::systems::heteropim::runtime {

/// Device on which a part of an operation runs. A machine without PIM has the host alone.
enum class Device : std::uint8_t { host, programmable, pairs };
constexpr std::size_t devices = 3;

/// Device of an operation as a whole. A recursive operation on pairs has phases on another device.
using Placement = Device;

/// Condition under which a candidate whose PIM is busy runs on an idle host instead (second principle of Sec. III-C).
enum class Fallback : std::uint8_t {
  /// Never: the candidate waits.
  never,
  /// If it ends earlier on the host by the profile.
  earlier,
  /// Always: the principle taken literally.
  always,
};

/// Assignment of operations to devices.
enum class Assignment : std::uint8_t {
  /// Candidates go to the PIM for their kind of task, all others to the host.
  principles,
  /// Every operation goes to the device on which it would end first, given the backlog of each device.
  earliest_end,
};

/// The machine and the rules that the runtime follows.
struct Runtime {
  std::uint32_t pairs = 0;
  std::uint32_t programmable = 0;
  /// One operation at a time on the whole machine, without scheduling.
  bool serial = false;
  /// The programmable PIM runs recursive kernels; otherwise their phases run on the host.
  bool recursive_kernels = true;
  /// Several operations share the pairs, and the next step may begin before this one ends; otherwise one operation at a
  /// time has the pairs, phases included, and steps do not overlap.
  bool operation_pipeline = true;
  Fallback fallback = Fallback::always;
  /// An idle PIM takes operations that are not candidates while the host is busy (Sec. II-A).
  bool idle_pim_helps = true;
  Assignment assignment = Assignment::principles;
  /// Seconds to launch a kernel on PIM from the host and report its end, and to call pairs from the programmable PIM.
  double host_launch = 0;
  double recursive_call = 0;
};

/// `steps` steps of a graph. Of several streams, earlier ones have priority.
struct Stream {
  const TaskGraph* graph = nullptr;
  std::uint32_t steps = 1;
  /// For each task, 1 if it is offered to PIM, otherwise 0.
  std::span<const std::uint8_t> candidate;
  /// All tasks in the order of their priority.
  std::span<const std::uint32_t> order;
};

/// An interval in which a part of an operation has a constant number of units.
struct Segment {
  std::uint32_t stream = 0;
  std::uint32_t step = 0;
  std::uint32_t task = 0;
  Device device = Device::host;
  /// Pairs; 1 on other devices.
  std::uint32_t units = 0;
  double start = 0;
  double end = 0;
};

/// The result of a run. The vectors keep their memory from run to run.
struct Execution {
  double makespan = 0;
  /// End of each step of the first stream.
  std::vector<double> step_ends;
  /// End of the last step of each stream.
  std::vector<double> stream_ends;
  /// For each device, units x seconds of work.
  double busy[devices] = {};
  /// Parts of the makespan: some unit computes; none does, but data move; neither (launches, waiting).
  double operation = 0;
  double movement = 0;
  double synchronization = 0;
  std::uint64_t launches = 0;
  std::vector<Segment> timeline;
  /// Placement of every instance: stream by stream, step by step, task by task.
  std::vector<Placement> placements;
};

}  // namespace pimsweep::systems::heteropim::runtime
