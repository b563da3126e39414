#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "systems/heteropim/runtime/runtime.h"

namespace pimsweep::systems::heteropim::runtime {

/// A task in one step of one stream, numbered stream by stream, step by step, task by task.
using Instance = std::uint32_t;
inline constexpr Instance no_instance = ~Instance{0};

/// Numbering of the instances of a run. A key is the rank of an instance by priority: by stream, then step, then the
/// order of the stream; smaller keys go first.
class Instances {
 public:
  struct Place {
    std::uint32_t stream;
    std::uint32_t step;
    std::uint32_t task;
  };

  /// The streams must outlive the run.
  void reset(std::span<const Stream> streams);

  std::span<const Stream> streams() const { return streams_; }
  std::uint32_t size() const { return first_.back(); }
  Place place(Instance instance) const;
  const Task& task(Instance instance) const;
  Instance first(std::uint32_t stream) const { return first_[stream]; }
  std::uint32_t key_of(Instance instance) const;
  Instance instance_of_key(std::uint32_t key) const;

 private:
  std::span<const Stream> streams_;
  /// First instance of each stream, and the number of all instances.
  std::vector<Instance> first_;
  /// For each stream, the rank of each task in its order.
  std::vector<std::vector<std::uint32_t>> rank_;
};

/// Dependencies of a run: counts the predecessors that each instance waits for and opens steps as earlier ones end.
///
///     dependencies.reset(instances, 2);
///     dependencies.open_all();
///     for (const Instance instance : dependencies.ready()) ...
///     if (dependencies.finish(instance)) ...   // the last one of its step
class Dependencies {
 public:
  /// At most `open_steps` steps of a stream are open at a time.
  void reset(const Instances& instances, std::uint32_t open_steps);
  void open_all();

  /// Releases the successors of an instance. True if it was the last one of its step, which may open another step.
  bool finish(Instance instance);
  std::uint64_t unfinished() const { return unfinished_; }
  /// Instances whose predecessors have all ended; the caller takes them out.
  std::vector<Instance>& ready() { return ready_; }

 private:
  /// Steps of a stream opened and ended so far.
  struct Progress {
    std::uint32_t opened = 0;
    std::uint32_t ended = 0;
    /// Index of the first step in `step_unfinished_`.
    std::uint32_t first_step = 0;
  };

  void open(std::uint32_t stream);
  void release(Instance instance) {
    if (--waits_for_[instance] == 0) ready_.push_back(instance);
  }

  const Instances* instances_ = nullptr;
  std::uint32_t open_steps_ = 1;
  std::vector<std::uint32_t> waits_for_;
  std::vector<std::uint32_t> step_unfinished_;
  std::vector<Progress> progress_;
  std::vector<Instance> ready_;
  std::uint64_t unfinished_ = 0;
};

}  // namespace pimsweep::systems::heteropim::runtime
