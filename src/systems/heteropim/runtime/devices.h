#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "systems/heteropim/runtime/instances.h"

namespace pimsweep::systems::heteropim::runtime {

inline constexpr double never = std::numeric_limits<double>::infinity();

/// Seconds of a task's part on pairs, on as many of `pairs` as the task can use.
double time_on_pairs(const Task& task, std::uint32_t pairs);

/// Writes the work of devices into an Execution.
class Recorder {
 public:
  /// Clears the execution. Without `timeline` only sums are recorded.
  void reset(const Instances& instances, bool timeline, Execution& out);

  Execution& out() { return *out_; }
  const Execution& out() const { return *out_; }
  void add_busy(Device device, double unit_seconds) { out_->busy[static_cast<std::size_t>(device)] += unit_seconds; }
  void add_segment(Device device, Instance instance, std::uint32_t units, double start, double end);

 private:
  const Instances* instances_ = nullptr;
  bool timeline_ = false;
  Execution* out_ = nullptr;
};

/// Instances that wait for a device, by priority, and the seconds of work that they stand for.
class DeviceQueues {
 public:
  void reset();

  bool empty(Device device) const { return keys_[at(device)].empty(); }
  /// The smallest key.
  std::uint32_t front(Device device) const { return keys_[at(device)].front(); }
  void push(Device device, std::uint32_t key);
  std::uint32_t pop(Device device);
  double& backlog(Device device) { return backlog_[at(device)]; }
  double backlog(Device device) const { return backlog_[at(device)]; }

 private:
  static std::size_t at(Device device) { return static_cast<std::size_t>(device); }

  /// Heaps.
  std::vector<std::uint32_t> keys_[devices];
  double backlog_[devices] = {};
};

/// An operation on the host or a programmable PIM; idle without an instance.
struct Processor {
  Instance instance = no_instance;
  double start = 0;
  double end = never;
  /// Shares of the time spent computing and moving data.
  double operation = 0;
  double movement = 0;
  /// Share of the stack's bandwidth in use.
  double bandwidth = 0;

  bool idle() const { return instance == no_instance; }
};

/// The host and the programmable PIMs, which run one operation at a time each.
class Processors {
 public:
  void reset(std::uint32_t programmable);

  Processor& host() { return host_; }
  const Processor& host() const { return host_; }
  std::span<Processor> programmable() { return programmable_; }
  std::span<const Processor> programmable() const { return programmable_; }
  /// Null if all programmable PIMs are busy.
  Processor* idle_programmable();
  bool all_idle() const;
  /// The next end of an operation.
  double next_end() const;
  /// Share of the stack's bandwidth that is left to the pairs.
  double free_bandwidth() const;

 private:
  Processor host_;
  std::vector<Processor> programmable_;
};

/// Pairs of multiplier and adder, which operations share by priority.
///
/// An admitted operation first waits for its launch; then it works at a rate that its pairs and the bandwidth of the
/// stack allow. share() distributes pairs and bandwidth again whenever an operation begins or ends:
///
///     pool.admit(instance, now + launch, now);
///     pool.share(now, processors.free_bandwidth(), recorder);
///     ... advance to pool.next_event() ...
///     for (const Instance ended : pool.retire(now, processors.free_bandwidth(), recorder)) ...
class PairPool {
 public:
  void reset(const Instances& instances, std::uint32_t pairs);

  bool empty() const { return members_.empty(); }
  std::uint32_t used() const;
  bool computes() const;
  /// Share of the stack's bandwidth in use.
  double streamed() const { return streamed_; }
  /// Adds the remaining seconds of all operations, each on as many pairs as it can use, to `seconds`.
  double add_remaining(double seconds, double now) const;
  double next_event() const;
  /// True if an operation is launched or ends now, or one that waits for bandwidth can have more.
  bool changes(double now, double available_bandwidth) const;

  void admit(Instance instance, double launched, double now);
  /// Assigns the pairs, and the bandwidth that processors leave, to the operations by priority; later ones have the
  /// rest until another one ends (Sec. III-C, operation pipeline).
  void share(double now, double available_bandwidth, Recorder& recorder);
  /// Removes the operations whose work is done and shares the pairs among the others. The span holds until the next
  /// call.
  std::span<const Instance> retire(double now, double available_bandwidth, Recorder& recorder);

 private:
  /// `left` is the share of the work that is left; it decreases by `rate` per second from `since`.
  struct Member {
    std::uint32_t key = 0;
    Instance instance = no_instance;
    const Task* task = nullptr;
    double left = 1;
    double rate = 0;
    double since = 0;
    double launched = 0;
    double event = never;
    std::uint32_t units = 0;
  };

  const Instances* instances_ = nullptr;
  std::uint32_t pairs_ = 0;
  std::vector<Member> members_;
  double streamed_ = 0;
  /// True if an operation waits for more bandwidth.
  bool starved_ = false;
  std::vector<Instance> ended_;
};

}  // namespace pimsweep::systems::heteropim::runtime
