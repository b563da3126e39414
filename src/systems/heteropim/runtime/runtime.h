#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "systems/heteropim/runtime/task_graph.h"

namespace pimsweep::systems::heteropim::runtime {

/// Device on which a part of an operation runs. A machine without PIM has the host alone.
enum class Device : std::uint8_t { host, programmable, pairs };
constexpr std::size_t devices = 3;

/// Device of an operation as a whole. A recursive operation on pairs has phases on another device.
using Placement = Device;

/// When a candidate whose PIM is busy runs on an idle host instead (second principle of Sec. III-C).
enum class Fallback : std::uint8_t {
  /// Never: the candidate waits.
  never,
  /// If by the profile it ends earlier on the host.
  earlier,
  /// Always: the principle taken literally.
  always,
};

/// How operations are assigned to devices.
enum class Assignment : std::uint8_t {
  /// Candidates go to the PIM for their kind of task, all others to the host.
  principles,
  /// Every operation goes where it would end first, given what waits and runs on each device.
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
  /// A PIM without work takes an operation that is no candidate while the host is busy (Sec. II-A).
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
  /// One for each task: whether it is offered to PIM.
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

/// Event-driven execution of training steps on host and PIM. Holds the working memory, so that one run after another
/// allocates nothing.
class Executor {
 public:
  /// Runs all streams to their end. `record` fills the timeline.
  void run(const Runtime& runtime, std::span<const Stream> streams, bool record, Execution& out);

 private:
  using Instance = std::uint32_t;
  static constexpr double never = std::numeric_limits<double>::infinity();
  static constexpr Instance nobody = ~Instance{0};

  /// First instance of a stream in the flat arrays, and steps opened and ended.
  struct Progress {
    Instance first = 0;
    std::uint32_t opened = 0;
    std::uint32_t ended = 0;
  };
  /// An operation on the host or a programmable PIM.
  struct Running {
    Instance instance = nobody;
    double start = 0;
    double end = never;
    /// Shares of the time spent computing and moving data.
    double operation = 0;
    double movement = 0;
    /// Share of the stack's bandwidth in use.
    double bandwidth = 0;
  };
  /// An operation on pairs. `left` is the share of the work that is left; it decreases by `rate` per second from
  /// `since`.
  struct Member {
    std::uint32_t key = 0;
    Instance instance = nobody;
    double left = 1;
    double rate = 0;
    double since = 0;
    double launched = 0;
    double event = never;
    std::uint32_t units = 0;
  };
  struct Place {
    std::uint32_t stream;
    std::uint32_t step;
    std::uint32_t task;
  };

  Place place(Instance instance) const;
  const Task& task(Instance instance) const;
  Instance instance_of_key(std::uint32_t key) const;
  std::uint32_t key_of(Instance instance) const;

  void prepare();
  void open_steps(std::uint32_t stream);
  void settle();
  void assign(Instance instance);
  void place_on(Placement placement, Instance instance);
  /// PIM for the kind of task; the host if there is none.
  Placement pim_for(const Task& task) const;
  Placement earliest_end(const Task& task) const;
  void finish(Instance instance);
  void push(Device device, Instance instance);
  Instance pop(Device device);
  double duration(Device device, Instance instance) const;
  double estimate(Device device, const Task& task) const;
  double wait(Device device) const;

  void dispatch();
  /// `ahead`: also begins operations for which there are no pairs yet.
  bool start_pairs(bool ahead);
  bool start_programmable();
  bool start_host();
  bool fall_back();
  bool is_idle(Device pim) const;
  bool help_host();
  void start(Running& slot, Device device, Instance instance);
  void admit(Instance instance);
  void begin_phase(Instance instance);
  /// Begins the first phase of a recursive operation.
  void prepare_pairs(Instance instance);
  void end_stage(Instance instance);
  /// Whether the programmable PIM runs the phases of recursive operations.
  bool phases_near() const { return runtime_.recursive_kernels && runtime_.programmable > 0; }
  void share_pairs();
  /// Share of the stack's bandwidth that host and programmable PIMs leave to the pairs.
  double free_bandwidth() const;
  void emit(Device device, Instance instance, std::uint32_t units, double start, double end);
  void advance();
  double next_event() const;
  void account_until(double next);
  void end_running(Device device, Running& slot);
  void end_members();

  Runtime runtime_;
  std::span<const Stream> streams_;
  bool record_ = false;
  Execution* out_ = nullptr;
  double now_ = 0;
  std::uint64_t left_ = 0;

  std::vector<Progress> progress_;
  std::vector<std::uint32_t> waiting_;
  std::vector<std::uint32_t> step_left_;
  std::vector<std::uint32_t> first_step_;
  std::vector<std::uint8_t> stage_;
  std::vector<std::vector<std::uint32_t>> position_;
  std::vector<Instance> stack_;
  std::vector<std::uint32_t> queue_[devices];
  double queued_[devices] = {};
  Running host_;
  std::vector<Running> programmable_;
  std::vector<Member> members_;
  /// Share of the stack's bandwidth that operations on pairs have, and whether one of them waits for more.
  double streamed_ = 0;
  bool starved_ = false;
  std::vector<Instance> ended_;
  /// Recursive operations whose first phase has ended, in that order; and how many have begun but have no pairs yet.
  std::vector<Instance> prepared_;
  std::size_t in_preparation_ = 0;
  /// Without operation pipeline: the operation that has the pairs.
  Instance owner_ = nobody;
};

}  // namespace pimsweep::systems::heteropim::runtime
