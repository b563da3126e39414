#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "systems/heteropim/runtime/devices.h"
#include "systems/heteropim/runtime/instances.h"
#include "systems/heteropim/runtime/runtime.h"

namespace pimsweep::systems::heteropim::runtime {

/// Event-driven execution of training steps on host, programmable PIMs and pairs.
///
///     Executor executor;
///     Execution execution;
///     const Stream stream{.graph = &graph, .steps = 4, .candidate = candidates, .order = order};
///     executor.run({.pairs = 444, .programmable = 1}, std::span(&stream, 1), false, execution);
///     execution.makespan;
///
/// Operations become ready as their predecessors end (Dependencies), wait in the queue of the device that the rules of
/// `Runtime` assign (DeviceQueues), and run on a processor (Processors) or share the pairs (PairPool). A recursive
/// operation on pairs has three stages: a first phase on a processor, its part on pairs, and a second phase.
///
/// The executor keeps its working memory, so that a run like the previous one allocates nothing. It is exact but for
/// the contention of processors for the stack's bandwidth, which only slows pairs down.
class Executor {
 public:
  /// Runs all streams to their end. `record` fills the timeline.
  void run(const Runtime& runtime, std::span<const Stream> streams, bool record, Execution& out);

 private:
  /// Recursive operations on pairs.
  struct Recursion {
    /// For each instance: 0 before its part on pairs, 1 in it, 2 after it.
    std::vector<std::uint8_t> stage;
    /// Operations whose first phase has ended, in that order.
    std::vector<Instance> prepared;
    /// Operations that have begun but have no pairs yet.
    std::size_t in_preparation = 0;
  };

  // Assignment.
  void settle();
  void assign(Instance instance);
  void place_on(Placement placement, Instance instance);
  Placement pim_for(const Task& task) const;
  Placement earliest_end(const Task& task) const;
  double estimate(Device device, const Task& task) const;
  double wait(Device device) const;
  double duration(Device device, Instance instance) const;
  void push(Device device, Instance instance);
  Instance pop(Device device);

  // Start of operations.
  void dispatch();
  void dispatch_one();
  bool start_pairs(bool ahead);
  bool start_programmable();
  bool start_host();
  bool fall_back();
  bool help_host();
  bool is_idle(Device pim) const;
  void start(Processor& processor, Device device, Instance instance);
  void admit(Instance instance);
  void prepare_pairs(Instance instance);
  void begin_phase(Instance instance);
  /// True if the programmable PIM runs the phases of recursive operations.
  bool phases_near() const { return runtime_.recursive_kernels && runtime_.programmable > 0; }

  // Time.
  void advance();
  void account_until(double next);
  void end_running(Device device, Processor& processor);
  void end_stage(Instance instance);
  void finish(Instance instance);

  /// The task that a device would take next.
  const Task& first_task(Device device) const {
    return instances_.task(instances_.instance_of_key(queues_.front(device)));
  }
  Placement& placement_of(Instance instance) { return recorder_.out().placements[instance]; }
  Placement placement_of(Instance instance) const { return recorder_.out().placements[instance]; }

  Runtime runtime_;
  double now_ = 0;
  Instances instances_;
  Dependencies dependencies_;
  DeviceQueues queues_;
  Processors processors_;
  PairPool pairs_;
  Recursion recursion_;
  /// Without operation pipeline: the operation that has the pairs.
  Instance owner_ = no_instance;
  Recorder recorder_;
};

}  // namespace pimsweep::systems::heteropim::runtime
