#include "hardware/noc/routed_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <random>
#include <set>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/checked.h"
#include "hardware/noc/router/router_network.h"

namespace pimsweep::hardware::noc {

namespace {

/// Remaining data of an accelerator in one exchange.
struct OpenFlow {
  TaskId task;
  std::uint32_t accelerator;
  std::uint64_t flits;
};

/// One run of a program whose amounts are the cycles of a computation or the flits that each accelerator sends.
class Run {
 public:
  Run(const RoutedArray& array, const StepProgram& program, const std::vector<std::uint64_t>& amounts, bool overlap)
      : array_(array),
        program_(program),
        amounts_(amounts),
        network_(router::make_router_network(array.lattice(), array.router())),
        flows_(array.lattice().nodes()),
        busy_(array.lattice().nodes(), 0),
        sent_(array.accelerators() * array.levels()),
        to_arrive_(program.size()),
        waits_(program.size()),
        followers_(program.size()),
        left_(program.size()),
        start(program.size()),
        end(program.size()) {
    const auto follow = [&](TaskId earlier, TaskId later) {
      followers_[earlier].push_back(later);
      ++waits_[later];
    };
    for (TaskId task = 0; task < program.size(); ++task) {
      if (overlap) {
        for (const TaskId earlier : program.after(task)) follow(earlier, task);
      } else if (task > 0) {
        follow(task - 1, task);
      }
      if (waits_[task] == 0) released_.push_back(task);
    }
  }

  void run() {
    while (left_ != 0) {
      if (network_->empty() && computing_) network_->wait_until(std::max(network_->time(), computation_end_));
      network_->begin_cycle();
      for (const router::Packet& packet : network_->delivered()) {
        to_arrive_[packet.tag] -= packet.flits;
        if (to_arrive_[packet.tag] == 0) finish(packet.tag);
      }
      if (computing_ && computation_end_ == network_->time()) {
        computing_ = false;
        finish(computation_);
      }
      // Random numbers are drawn in the order of nodes.
      const std::span<const std::uint32_t> freed = network_->freed_sources();
      freed_.assign(freed.begin(), freed.end());
      std::ranges::sort(freed_);
      for (const std::uint32_t node : freed_) {
        busy_[node] = 0;
        send_next(node);
      }
      begin_tasks();
      network_->finish_cycle();
    }
  }

 private:
  /// Starts all released tasks; tasks without work end at once and release others.
  void begin_tasks() {
    while (!released_.empty() || (!computing_ && !ready_.empty())) {
      while (!released_.empty()) {
        const TaskId task = released_.back();
        released_.pop_back();
        if (program_[task].is_computation()) {
          ready_.insert(task);
        } else {
          begin_exchange(task);
        }
      }
      if (computing_ || ready_.empty()) continue;
      computation_ = *ready_.begin();
      ready_.erase(ready_.begin());
      start[computation_] = network_->time();
      computation_end_ = network_->time() + amounts_[computation_];
      computing_ = amounts_[computation_] > 0;
      if (!computing_) finish(computation_);
    }
  }

  void begin_exchange(TaskId task) {
    start[task] = network_->time();
    to_arrive_[task] = amounts_[task] * array_.accelerators();
    if (amounts_[task] == 0) {
      finish(task);
      return;
    }
    for (std::uint32_t accelerator = 0; accelerator < array_.accelerators(); ++accelerator) {
      const std::uint32_t node = array_.node(accelerator, program_[task].level);
      flows_[node].push_back({task, accelerator, amounts_[task]});
      send_next(node);
    }
  }

  void finish(TaskId task) {
    end[task] = network_->time();
    --left_;
    for (const TaskId later : followers_[task]) {
      if (--waits_[later] == 0) released_.push_back(later);
    }
  }

  void send_next(std::uint32_t node) {
    if (busy_[node] != 0 || flows_[node].empty()) return;
    OpenFlow flow = flows_[node].front();
    flows_[node].pop_front();
    const std::size_t level = program_[flow.task].level;
    router::Packet packet;
    packet.source = node;
    packet.destination = array_.counterpart(flow.accelerator, level);
    packet.flits = static_cast<std::uint32_t>(std::min<std::uint64_t>(flow.flits, next_packet_flits()));
    packet.tag = flow.task;
    packet.created = network_->time();
    packet.tie_up = array_.ties(sent_[flow.accelerator * array_.levels() + level - 1]++);
    flow.flits -= packet.flits;
    if (flow.flits != 0) flows_[node].push_back(flow);
    busy_[node] = 1;
    network_->send(packet);
  }

  /// Equal packets that start together settle into a periodic pattern whose rate depends on the start: 0.80 or 0.87 of
  /// the links' bandwidth on a ring of four. Occasional short packets break such patterns, so that a long exchange has
  /// one rate.
  std::uint64_t next_packet_flits() {
    constexpr std::uint32_t packets_to_a_short_one = 16;
    const unsigned max_flits = array_.packet_flits();
    return random_() % packets_to_a_short_one == 0 ? 1 + random_() % max_flits : max_flits;
  }

  const RoutedArray& array_;
  const StepProgram& program_;
  const std::vector<std::uint64_t>& amounts_;
  std::minstd_rand random_;
  std::unique_ptr<router::RouterNetwork> network_;
  /// Flows in progress of each node, in sending order.
  std::vector<std::deque<OpenFlow>> flows_;
  std::vector<char> busy_;
  /// Nodes that may send their next packet.
  std::vector<std::uint32_t> freed_;
  /// Packets of each accelerator and level.
  std::vector<std::uint64_t> sent_;
  std::vector<std::uint64_t> to_arrive_;
  std::vector<std::size_t> waits_;
  std::vector<std::vector<TaskId>> followers_;
  std::vector<TaskId> released_;
  /// Computations that are ready to start.
  std::set<TaskId> ready_;
  bool computing_ = false;
  TaskId computation_ = 0;
  std::uint64_t computation_end_ = 0;
  std::size_t left_;

 public:
  /// Start and end of each task, in cycles.
  std::vector<std::uint64_t> start;
  std::vector<std::uint64_t> end;
};

}  // namespace

RoutedStep::RoutedStep(const RoutedArray& array, const ExchangeNetwork& network, double bandwidth, double flit_bytes)
    : array_(array), network_(network), seconds_per_cycle_(flit_bytes / bandwidth), flit_bytes_(flit_bytes) {}

StepTimeline RoutedStep::simulate(const StepProgram& program, bool overlap, double scale) const {
  std::vector<std::uint64_t> amounts;
  Count total = 0;
  for (TaskId task = 0; task < program.size(); ++task) {
    const StepTask& work = program[task];
    if (work.level > network_.levels()) {
      throw std::invalid_argument(fmt::format("task {} exchanges at level {}, the network has levels 1 to {}", task,
                                              work.level, network_.levels()));
    }
    const Count amount = Count::of(
        work.is_computation() ? std::round(scale * work.amount / seconds_per_cycle_)
                              : std::ceil(scale * work.amount * network_.flow_share(work.level) / flit_bytes_));
    // No run takes more cycles than all tasks in sequence.
    total += amount;
    amounts.push_back(static_cast<std::uint64_t>(std::int64_t{amount}));
  }
  Run run(array_, program, amounts, overlap);
  run.run();
  StepTimeline timeline;
  for (TaskId task = 0; task < program.size(); ++task) {
    timeline.start.push_back(static_cast<double>(run.start[task]) * seconds_per_cycle_);
    timeline.end.push_back(static_cast<double>(run.end[task]) * seconds_per_cycle_);
    timeline.makespan = std::max(timeline.makespan, timeline.end.back());
  }
  return timeline;
}

double RoutedStep::flit_hops(const StepProgram& program) const {
  double sum = 0;
  for (TaskId task = 0; task < program.size(); ++task) {
    const StepTask& work = program[task];
    if (work.is_computation() || work.level > network_.levels()) continue;
    const unsigned hops = array_.lattice().hops(array_.node(0, work.level), array_.counterpart(0, work.level));
    sum += work.amount * network_.flow_share(work.level) / flit_bytes_ * array_.accelerators() * hops;
  }
  return sum;
}

StepTimeline RoutedStep::run(const StepProgram& program, bool overlap, double flit_hops_at_first) const {
  // Longer runs average over more interleavings of packets, and their tasks overlap more like those of the whole step.
  // In an extrapolation from two runs, one a quarter as long, their errors have weights 4/3 and 1/3.
  constexpr double quarter = 0.25;
  constexpr double max_difference = 0.005;
  const auto continued = [](double from_quarter, double from, double times) {
    return from + (from - from_quarter) / (1 - quarter) * (times - 1);
  };
  // If a tie of two tasks is resolved differently at every scale, no length suffices.
  constexpr std::size_t max_runs = 6;
  std::vector<StepTimeline> runs;
  double difference = 1;
  double scale = flit_hops_at_first / flit_hops(program);
  for (; difference > max_difference && runs.size() < max_runs; scale *= 2) {
    if (!(scale < 0.5)) return simulate(program, overlap, 1);
    runs.push_back(simulate(program, overlap, scale));
    if (const std::size_t n = runs.size(); n >= 4) {
      const double last = continued(runs[n - 4].makespan, runs[n - 2].makespan, 2 / scale);
      difference = std::abs(last / continued(runs[n - 3].makespan, runs[n - 1].makespan, 1 / scale) - 1);
    }
  }
  const StepTimeline& before = *(runs.end() - 3);
  const double times = 2 / scale;
  StepTimeline timeline = std::move(runs.back());
  timeline.makespan = continued(before.makespan, timeline.makespan, times);
  timeline.difference = difference;
  for (TaskId task = 0; task < program.size(); ++task) {
    timeline.start[task] = std::max(0.0, continued(before.start[task], timeline.start[task], times));
    timeline.end[task] = std::max(timeline.start[task], continued(before.end[task], timeline.end[task], times));
  }
  return timeline;
}

}  // namespace pimsweep::hardware::noc
