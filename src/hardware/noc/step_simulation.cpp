#include "hardware/noc/step_simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/downward.h"

namespace pimsweep::hardware::noc {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double same_event = 1e-12;

}  // namespace

StepSimulation::StepSimulation(ExchangeNetwork network)
    : network_(std::move(network)),
      sharing_(network_),
      running_(network_.levels()),
      rate_(network_.levels()),
      new_rate_(network_.levels()) {}

const StepTimeline& StepSimulation::run(const StepProgram& program, bool overlap) {
  prepare(program);
  if (overlap) {
    run_overlapped(program);
  } else {
    run_in_order(program);
  }
  return timeline_;
}

void StepSimulation::prepare(const StepProgram& program) {
  timeline_.makespan = timeline_.computation_seconds = 0;
  timeline_.only_computation = timeline_.only_exchange = timeline_.both = 0;
  timeline_.start.assign(program.size(), 0.0);
  timeline_.end.assign(program.size(), 0.0);
  timeline_.link_bytes.assign(network_.bandwidth.size(), 0.0);

  // new_rate_ is unused until the run starts; here it sums the bytes of each level.
  std::ranges::fill(new_rate_, 0.0);
  for (TaskId task = 0; task < program.size(); ++task) {
    const StepTask& work = program[task];
    if (work.level > network_.levels()) {
      throw std::invalid_argument(fmt::format("task {} exchanges at level {}, the network has levels 1 to {}", task,
                                              work.level, network_.levels()));
    }
    if (work.is_computation()) {
      timeline_.computation_seconds += work.amount;
    } else {
      new_rate_[work.level - 1] += work.amount;
    }
  }
  for (std::size_t level = 0; level < network_.levels(); ++level) {
    for (const LinkLoad& load : network_.exchanges[level]) {
      timeline_.link_bytes[load.link] += load.share * new_rate_[level];
    }
  }
}

void StepSimulation::run_in_order(const StepProgram& program) {
  double now = 0;
  for (TaskId task = 0; task < program.size(); ++task) {
    const StepTask& work = program[task];
    const double seconds = work.is_computation() ? work.amount : network_.seconds(work.level, work.amount);
    timeline_.start[task] = now;
    now += seconds;
    timeline_.end[task] = now;
    (work.is_computation() ? timeline_.only_computation : timeline_.only_exchange) += seconds;
  }
  timeline_.makespan = now;
}

void StepSimulation::order_tasks(const StepProgram& program) {
  waits_for_.assign(program.size(), 0);
  followers_begin_.assign(program.size() + 1, 0);
  for (TaskId task = 0; task < program.size(); ++task) {
    for (const TaskId earlier : program.after(task)) ++followers_begin_[earlier];
    waits_for_[task] = static_cast<std::uint32_t>(program.after(task).size());
  }
  // Ends of the ranges of followers, decremented to their beginnings while they are filled.
  for (std::size_t task = 1; task <= program.size(); ++task) followers_begin_[task] += followers_begin_[task - 1];
  followers_.resize(followers_begin_[program.size()]);
  for (const TaskId task : downward(static_cast<TaskId>(program.size()))) {
    for (const TaskId earlier : program.after(task)) followers_[--followers_begin_[earlier]] = task;
  }
}

void StepSimulation::run_overlapped(const StepProgram& program) {
  order_tasks(program);
  ready_.clear();
  exchanges_.clear();
  shared_ = 0;
  std::ranges::fill(running_, 0U);
  std::ranges::fill(rate_, 0.0);
  rates_are_old_ = false;

  double now = 0;
  bool computing = false;
  TaskId computation = 0;
  double computation_end = never;
  for (TaskId task = 0; task < program.size(); ++task) {
    if (waits_for_[task] == 0) release(program, task, now);
  }
  while (true) {
    if (!computing && !ready_.empty()) {
      std::ranges::pop_heap(ready_, std::greater<>());
      computation = ready_.back();
      ready_.pop_back();
      computing = true;
      timeline_.start[computation] = now;
      computation_end = now + program[computation].amount;
    }
    if (rates_are_old_) share_links(program, now);
    if (!computing && exchanges_.empty()) break;

    double next = never;
    if (computing) next = computation_end;
    for (const Exchange& exchange : exchanges_) next = std::min(next, exchange.end);
    (exchanges_.empty() ? timeline_.only_computation
     : computing        ? timeline_.both
                        : timeline_.only_exchange) += next - now;
    now = next;

    const double until = now + now * same_event;
    ended_.clear();
    if (computing && computation_end <= until) {
      ended_.push_back(computation);
      computing = false;
    }
    std::erase_if(exchanges_, [&](const Exchange& exchange) {
      if (exchange.end > until) return false;
      ended_.push_back(exchange.task);
      --running_[exchange.level - 1];
      rates_are_old_ = true;
      return true;
    });
    shared_ = exchanges_.size();
    for (const TaskId task : ended_) finish(program, task, now);
  }
  timeline_.makespan = now;
}

/// Starts a task whose predecessors have all ended.
void StepSimulation::release(const StepProgram& program, TaskId task, double now) {
  const StepTask& work = program[task];
  if (work.is_computation()) {
    ready_.push_back(task);
    std::ranges::push_heap(ready_, std::greater<>());
    return;
  }
  timeline_.start[task] = now;
  exchanges_.push_back({task, work.level, never});
  ++running_[work.level - 1];
  rates_are_old_ = true;
}

void StepSimulation::finish(const StepProgram& program, TaskId task, double now) {
  timeline_.end[task] = now;
  for (std::size_t i = followers_begin_[task]; i < followers_begin_[task + 1]; ++i) {
    if (--waits_for_[followers_[i]] == 0) release(program, followers_[i], now);
  }
}

/// Updates the end times of exchanges to the new rates.
void StepSimulation::share_links(const StepProgram& program, double now) {
  sharing_.rates(running_, new_rate_);
  for (std::size_t i = 0; i < exchanges_.size(); ++i) {
    Exchange& exchange = exchanges_[i];
    const double rate = new_rate_[exchange.level - 1];
    const double old = rate_[exchange.level - 1];
    if (i >= shared_) {
      exchange.end = now + program[exchange.task].amount / rate;
    } else if (rate != old) {
      exchange.end = now + (exchange.end - now) * (old / rate);
    }
  }
  shared_ = exchanges_.size();
  std::swap(rate_, new_rate_);
  rates_are_old_ = false;
}

}  // namespace pimsweep::hardware::noc
