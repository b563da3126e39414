#include "systems/rtconc/schedule/board.h"

#include <algorithm>
#include <cmath>

#include "base/downward.h"

namespace pimsweep::systems::rtconc::schedule {

void ReadyList::reset(std::size_t operations, std::span<const double> priorities) {
  priorities_ = priorities;
  next_.assign(operations + 1, static_cast<std::uint32_t>(operations));
  previous_.assign(operations + 1, static_cast<std::uint32_t>(operations));
  size_ = 0;
}

void ReadyList::insert(std::uint32_t operation) {
  ++size_;
  std::uint32_t before = previous_[anchor()];
  if (!priorities_.empty()) {
    while (before != anchor() && priorities_[before] < priorities_[operation]) before = previous_[before];
  }
  previous_[operation] = before;
  next_[operation] = next_[before];
  previous_[next_[before]] = operation;
  next_[before] = operation;
}

void ReadyList::remove(std::uint32_t operation) {
  --size_;
  next_[previous_[operation]] = next_[operation];
  previous_[next_[operation]] = previous_[operation];
}

void Board::reset(const Overheads& overheads, std::span<const double> priorities) {
  const std::size_t n = step_.size();
  overheads_ = overheads;
  now_ = 0;
  finished_ = 0;
  ready_.reset(n, priorities);
  waiting_ = step_.predecessors;
  active_.clear();
  active_.reserve(n);
  slower_.resize(n);
  stack_.clear();
  stack_.reserve(n);
  teams_.assign(step_.kinds, hardware::manycore::Placement{.threads = 0, .cores = 0, .tiles = 0});
  running_ = {};
  outcome_.seconds = outcome_.change_seconds = outcome_.contention_seconds = 0;
  outcome_.events.clear();
  outcome_.events.reserve(2 * n);
  outcome_.start.assign(n, 0);
  outcome_.end.assign(n, 0);
  outcome_.cost.assign(n, nullptr);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (step_.predecessors[i] == 0) make_ready(i);
  }
}

void Board::make_ready(std::uint32_t operation) {
  if (step_.operation_class[operation] == Step::none) return finish(operation);
  ready_.insert(operation);
}

void Board::release(std::uint32_t operation) {
  const std::span<const std::uint32_t> followers = step_.waiting_for(operation);
  // In reverse, so that the first is on top of the stack.
  for (const std::size_t i : downward(followers.size())) {
    if (--waiting_[followers[i]] == 0) stack_.push_back(followers[i]);
  }
}

void Board::finish(std::uint32_t operation) {
  ++finished_;
  release(operation);
  // Chains of operations that take no time are followed here instead of by recursion.
  while (!stack_.empty()) {
    const std::uint32_t ready = stack_.back();
    stack_.pop_back();
    if (step_.operation_class[ready] != Step::none) {
      make_ready(ready);
      continue;
    }
    ++finished_;
    release(ready);
  }
}

double Board::change_of(std::uint32_t kind, const RunCost& cost) {
  hardware::manycore::Placement& team = teams_[kind];
  // Teams of the previous step exist already.
  const double seconds =
      team.threads == 0 ? 0 : hardware::manycore::change_time(device_, team, cost.team, cost.footprint);
  team = cost.team;
  return seconds;
}

void Board::start(std::uint32_t operation, const RunCost& cost, double expected) {
  ready_.remove(operation);
  const double change = overheads_.changes ? change_of(kind_of(operation), cost) : 0;
  const double alone = cost.seconds + change + overheads_.dispatch;
  add(operation, cost, 1);
  active_.push_back({operation, &cost, alone + turn(), now_ + expected});
  outcome_.change_seconds += change;
  outcome_.contention_seconds -= alone;
  outcome_.start[operation] = now_;
  outcome_.cost[operation] = &cost;
  outcome_.events.push_back({now_, operation, static_cast<std::uint32_t>(active_.size()), ready_.size(), true});
}

void Board::add(std::uint32_t operation, const RunCost& cost, double sign) {
  running_.threads += sign * cost.threads;
  if (in_openmp(operation)) running_.openmp_threads += sign * cost.threads;
  running_.tiles += sign * cost.tiles;
  running_.drawn += sign * cost.drawn;
  running_.footprint += sign * cost.footprint;
  running_.waking += sign * cost.waking_share;
}

/// A static schedule waits until its last thread gets a hardware thread; threads ahead in the queue spin and yield.
double Board::turn() const {
  const double queue = std::ceil((threads() + spinning()) / (device_.cores * device_.smt));
  return std::max(0.0, queue - 1) * overheads_.context_switch;
}

/// Threads are spread evenly over the cores, and the busiest core decides; tiles are shared if there are too few.
hardware::manycore::Contention Board::contention_of(const RunCost& cost) const {
  hardware::manycore::Contention contention;
  contention.threads_per_core = std::max(0.0, std::ceil(awake()) - cost.threads_per_core);
  contention.bandwidth = std::max(0.0, running_.drawn - cost.drawn);
  const double tiles = std::ceil(device_.cores / device_.cores_per_tile);
  if (running_.tiles > tiles) {
    contention.tile_footprint =
        std::min(device_.tile_cache, std::max(0.0, running_.footprint - cost.footprint) / tiles);
  }
  return contention;
}

void Board::advance() {
  double step = INFINITY;
  std::size_t first = 0;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const RunCost& cost = *active_[i].cost;
    const WakingContention waking{std::max(0.0, running_.waking - cost.waking_share), awake()};
    slower_[i] = active_.size() == 1 && overheads_.spinning_pool == 0
                     ? 1
                     : std::max(1.0, time_under_contention(device_, cost, contention_of(cost), waking) / cost.seconds);
    const double until = active_[i].left * slower_[i];
    if (until < step) {
      step = until;
      first = i;
    }
  }
  now_ += step;
  for (std::size_t i = 0; i < active_.size(); ++i) active_[i].left -= step / slower_[i];

  const Active ended = active_[first];
  outcome_.events.push_back({now_, ended.operation, static_cast<std::uint32_t>(active_.size()), ready_.size(), false});
  outcome_.end[ended.operation] = now_;
  outcome_.contention_seconds += now_ - outcome_.start[ended.operation];
  outcome_.seconds = now_;
  active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(first));
  if (active_.empty()) {
    running_ = {};
  } else {
    add(ended.operation, *ended.cost, -1);
  }
  finish(ended.operation);
}

}  // namespace pimsweep::systems::rtconc::schedule
