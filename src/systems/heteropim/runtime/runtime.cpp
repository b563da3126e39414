#include "systems/heteropim/runtime/runtime.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace pimsweep::systems::heteropim::runtime {

namespace {

std::size_t at(Device device) { return static_cast<std::size_t>(device); }

/// Seconds of a task's part on pairs, on as many of `pairs` as the task can use.
double time_on_pairs(const Task& task, std::uint32_t pairs) {
  return std::max(task.pair_work / std::min(task.pairs, pairs), task.streaming);
}

}  // namespace

Executor::Place Executor::place(Instance instance) const {
  std::uint32_t stream = 0;
  while (stream + 1 < progress_.size() && instance >= progress_[stream + 1].first) ++stream;
  const std::uint32_t size = streams_[stream].graph->size();
  const std::uint32_t within = instance - progress_[stream].first;
  return {stream, within / size, within % size};
}

const Task& Executor::task(Instance instance) const {
  const Place where = place(instance);
  return streams_[where.stream].graph->tasks[where.task];
}

// A key is the place in the order of priority: by stream, then step, then the order of the stream.
std::uint32_t Executor::key_of(Instance instance) const {
  const Place where = place(instance);
  return instance - where.task + position_[where.stream][where.task];
}

Executor::Instance Executor::instance_of_key(std::uint32_t key) const {
  const Place where = place(key);
  return key - where.task + streams_[where.stream].order[where.task];
}

void Executor::run(const Runtime& runtime, std::span<const Stream> streams, bool record, Execution& out) {
  runtime_ = runtime;
  streams_ = streams;
  record_ = record;
  out_ = &out;
  prepare();
  for (std::uint32_t stream = 0; stream < streams_.size(); ++stream) open_steps(stream);
  settle();
  while (left_ > 0) {
    dispatch();
    advance();
  }
  out.makespan = now_;
}

void Executor::prepare() {
  now_ = 0;
  left_ = 0;
  progress_.clear();
  waiting_.clear();
  step_left_.clear();
  first_step_.clear();
  stack_.clear();
  members_.clear();
  streamed_ = 0;
  starved_ = false;
  position_.resize(streams_.size());
  host_ = {};
  programmable_.assign(runtime_.programmable, {});
  owner_ = nobody;
  prepared_.clear();
  in_preparation_ = 0;
  for (std::size_t device = 0; device < devices; ++device) {
    queue_[device].clear();
    queued_[device] = 0;
    out_->busy[device] = 0;
  }
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    const TaskGraph& graph = *streams_[s].graph;
    progress_.push_back({.first = static_cast<Instance>(waiting_.size())});
    first_step_.push_back(static_cast<std::uint32_t>(step_left_.size()));
    position_[s].resize(graph.size());
    for (std::uint32_t i = 0; i < graph.size(); ++i) position_[s][streams_[s].order[i]] = i;
    for (std::uint32_t step = 0; step < streams_[s].steps; ++step) {
      step_left_.push_back(graph.size());
      for (std::uint32_t i = 0; i < graph.size(); ++i) {
        // A task without predecessors in the step waits until the step is opened.
        const std::uint32_t gate = graph.waits_for[i] == 0 ? 1 : 0;
        waiting_.push_back(graph.waits_for[i] + gate + (step > 0 ? graph.carried_waits_for[i] : 0));
      }
    }
  }
  left_ = waiting_.size();
  stage_.assign(waiting_.size(), 0);
  out_->placements.assign(waiting_.size(), Device::host);
  out_->step_ends.assign(streams_.empty() ? 0 : streams_[0].steps, 0);
  out_->stream_ends.assign(streams_.size(), 0);
  out_->operation = out_->movement = out_->synchronization = 0;
  out_->launches = 0;
  out_->timeline.clear();
}

void Executor::open_steps(std::uint32_t stream) {
  const Stream& work = streams_[stream];
  Progress& progress = progress_[stream];
  const std::uint32_t ahead = runtime_.operation_pipeline ? 2 : 1;
  for (; progress.opened < std::min(progress.ended + ahead, work.steps); ++progress.opened) {
    const Instance first = progress.first + progress.opened * work.graph->size();
    for (std::uint32_t i = 0; i < work.graph->size(); ++i) {
      if (work.graph->waits_for[i] == 0 && --waiting_[first + i] == 0) stack_.push_back(first + i);
    }
  }
}

// Assigns everything that has become ready. Tasks without work end at once, which makes others ready.
void Executor::settle() {
  std::size_t real = 0;
  while (real < stack_.size()) {
    const Instance instance = stack_.back();
    if (task(instance).kind == TaskKind::none) {
      stack_.pop_back();
      finish(instance);
    } else {
      std::swap(stack_.back(), stack_[real++]);
    }
  }
  std::ranges::sort(stack_, {}, [this](Instance instance) { return key_of(instance); });
  for (const Instance instance : stack_) assign(instance);
  stack_.clear();
}

void Executor::assign(Instance instance) {
  const Place where = place(instance);
  const Stream& stream = streams_[where.stream];
  const Task& task = stream.graph->tasks[where.task];
  Placement placement = Device::host;
  if (runtime_.assignment == Assignment::earliest_end) {
    placement = earliest_end(task);
  } else if (stream.candidate[where.task] != 0) {
    placement = pim_for(task);
  }
  place_on(placement, instance);
}

Placement Executor::pim_for(const Task& task) const {
  if (task.kind != TaskKind::programmable && runtime_.pairs > 0) return Device::pairs;
  return runtime_.programmable > 0 ? Device::programmable : Device::host;
}

void Executor::place_on(Placement placement, Instance instance) {
  const Task& task = this->task(instance);
  out_->placements[instance] = placement;
  if (placement == Device::pairs) queued_[at(Device::pairs)] += time_on_pairs(task, runtime_.pairs);
  const bool phase_first =
      placement == Device::pairs && task.kind == TaskKind::recursive && runtime_.operation_pipeline && !runtime_.serial;
  if (phase_first) return prepare_pairs(instance);
  push(placement, instance);
}

Placement Executor::earliest_end(const Task& task) const {
  Placement best = Device::host;
  double end = wait(Device::host) + estimate(Device::host, task);
  const auto consider = [&](Device device) {
    const double other = wait(device) + estimate(device, task);
    if (other >= end) return;
    end = other;
    best = device;
  };
  if (runtime_.programmable > 0) consider(Device::programmable);
  if (runtime_.pairs > 0 && task.kind != TaskKind::programmable) consider(Device::pairs);
  return best;
}

double Executor::estimate(Device device, const Task& task) const {
  if (device == Device::host) return task.host;
  if (device == Device::programmable) return runtime_.host_launch + task.programmable;
  return runtime_.host_launch + time_on_pairs(task, runtime_.pairs) +
         (phases_near() ? task.phases_on_programmable : task.phases_on_host);
}

// Seconds until the device has finished what runs and waits there.
double Executor::wait(Device device) const {
  double seconds = std::max(0.0, queued_[at(device)]);
  if (device == Device::host) return seconds + (host_.instance == nobody ? 0 : host_.end - now_);
  if (device == Device::pairs) {
    for (const Member& member : members_) {
      const double left = member.left - member.rate * (now_ - member.since);
      seconds += left * time_on_pairs(task(member.instance), runtime_.pairs);
    }
    return seconds;
  }
  double first = never;
  for (const Running& slot : programmable_) first = std::min(first, slot.instance == nobody ? 0 : slot.end - now_);
  return first + seconds / static_cast<double>(programmable_.size());
}

// Seconds of a stage on host or programmable PIM, launches included.
double Executor::duration(Device device, Instance instance) const {
  const Task& what = task(instance);
  const bool phase = out_->placements[instance] == Device::pairs;
  if (device == Device::host) return phase ? what.phases_on_host / 2 : what.host;
  const double launch = stage_[instance] == 0 ? runtime_.host_launch : 0;
  return launch + (phase ? what.phases_on_programmable / 2 : what.programmable);
}

void Executor::push(Device device, Instance instance) {
  auto& queue = queue_[at(device)];
  if (device != Device::pairs) queued_[at(device)] += duration(device, instance);
  queue.push_back(key_of(instance));
  std::ranges::push_heap(queue, std::greater{});
}

Executor::Instance Executor::pop(Device device) {
  auto& queue = queue_[at(device)];
  std::ranges::pop_heap(queue, std::greater{});
  const Instance instance = instance_of_key(queue.back());
  queue.pop_back();
  if (device != Device::pairs) queued_[at(device)] -= duration(device, instance);
  return instance;
}

void Executor::dispatch() {
  if (runtime_.serial) {
    if (owner_ != nobody) {
      start_pairs(false);
      return;
    }
    if (host_.instance != nobody || !members_.empty()) return;
    if (std::ranges::any_of(programmable_, [](const Running& slot) { return slot.instance != nobody; })) return;
    // One operation: the first by priority.
    std::size_t first = 0;
    for (std::size_t device = 1; device < devices; ++device) {
      if (queue_[device].empty()) continue;
      if (queue_[first].empty() || queue_[device].front() < queue_[first].front()) first = device;
    }
    if (first == at(Device::host)) {
      start_host();
    } else if (first == at(Device::programmable)) {
      start_programmable();
    } else {
      start_pairs(false);
    }
    return;
  }
  bool any = true;
  while (any)
    any = start_pairs(false) || start_programmable() || start_host() || fall_back() || start_pairs(true) || help_host();
}

bool Executor::start_pairs(bool ahead) {
  auto& queue = queue_[at(Device::pairs)];
  const bool one_at_a_time = !runtime_.operation_pipeline || runtime_.serial;
  std::uint32_t used = 0;
  for (const Member& member : members_) used += member.units;
  if (!prepared_.empty() && used < runtime_.pairs) {
    const Instance instance = prepared_.front();
    prepared_.erase(prepared_.begin());
    admit(instance);
    return true;
  }
  if (queue.empty() || (one_at_a_time && owner_ != nobody)) return false;
  const bool phase = task(instance_of_key(queue.front())).kind == TaskKind::recursive;
  // While others have the pairs, no more first phases are prepared than can run: the other operations may still go
  // elsewhere.
  const std::size_t max_prepared = ahead ? std::max<std::size_t>(1, programmable_.size()) : 1;
  if (phase ? in_preparation_ >= max_prepared || (!ahead && used > 0) : used >= runtime_.pairs) return false;
  const Instance instance = pop(Device::pairs);
  if (one_at_a_time) owner_ = instance;
  if (phase) {
    prepare_pairs(instance);
  } else {
    admit(instance);
  }
  return true;
}

bool Executor::start_programmable() {
  if (queue_[at(Device::programmable)].empty()) return false;
  for (Running& slot : programmable_) {
    if (slot.instance != nobody) continue;
    start(slot, Device::programmable, pop(Device::programmable));
    return true;
  }
  return false;
}

bool Executor::start_host() {
  if (queue_[at(Device::host)].empty() || host_.instance != nobody) return false;
  start(host_, Device::host, pop(Device::host));
  return true;
}

// The second principle: an idle host takes a candidate that waits for a busy PIM.
bool Executor::fall_back() {
  if (runtime_.fallback == Fallback::never || host_.instance != nobody) return false;
  for (const Device device : {Device::pairs, Device::programmable}) {
    const auto& queue = queue_[at(device)];
    if (queue.empty()) continue;
    const Instance instance = instance_of_key(queue.front());
    const Task& what = task(instance);
    const Placement placement = out_->placements[instance];
    // A phase of an operation that has begun stays.
    if (placement != device) continue;
    if (runtime_.fallback == Fallback::earlier) {
      // The device would take this operation next.
      const double behind = std::max(0.0, queued_[at(placement)]);
      const double shared = placement == Device::programmable ? static_cast<double>(programmable_.size()) : 1.0;
      if (what.host >= wait(placement) - behind / shared + estimate(placement, what)) continue;
    }
    pop(device);
    if (placement == Device::pairs) queued_[at(placement)] -= time_on_pairs(what, runtime_.pairs);
    out_->placements[instance] = Device::host;
    start(host_, Device::host, instance);
    return true;
  }
  return false;
}

bool Executor::is_idle(Device pim) const {
  if (!queue_[at(pim)].empty()) return false;
  if (pim == Device::programmable) {
    return std::ranges::any_of(programmable_, [](const Running& slot) { return slot.instance == nobody; });
  }
  return members_.empty() && prepared_.empty() && in_preparation_ == 0 && owner_ == nobody;
}

// Operations that are no candidates may use idle PIM (Sec. II-A): those that wait for the busy host.
bool Executor::help_host() {
  const auto& queue = queue_[at(Device::host)];
  const bool rules = runtime_.idle_pim_helps && runtime_.assignment == Assignment::principles;
  if (!rules || queue.empty() || host_.instance == nobody) return false;
  const Instance instance = instance_of_key(queue.front());
  // A phase of an operation on pairs stays.
  if (out_->placements[instance] != Device::host) return false;
  const Device pim = pim_for(task(instance));
  if (pim == Device::host || !is_idle(pim)) return false;
  pop(Device::host);
  place_on(pim, instance);
  return true;
}

void Executor::start(Running& slot, Device device, Instance instance) {
  const Task& what = task(instance);
  const bool phase = out_->placements[instance] == Device::pairs;
  const double seconds = duration(device, instance);
  slot = {.instance = instance, .start = now_, .end = now_ + seconds};
  if (device == Device::programmable && stage_[instance] == 0) ++out_->launches;
  if (seconds <= 0) return;
  const double alone = device == Device::host ? what.host_streaming : what.programmable_streaming;
  slot.bandwidth = (phase ? what.phase_streaming / 2 : alone) / seconds;
  if (device == Device::programmable) {
    slot.operation = (phase ? what.phases_on_programmable / 2 : what.programmable) / seconds;
  } else {
    // A phase on the host is data that it rearranges.
    slot.movement = phase ? 1 : what.host_movement / seconds;
    slot.operation = 1 - slot.movement;
  }
  if (slot.bandwidth > 0 && streamed_ > free_bandwidth()) share_pairs();
}

double Executor::free_bandwidth() const {
  double left = 1 - host_.bandwidth;
  for (const Running& slot : programmable_) left -= slot.bandwidth;
  return std::max(0.0, left);
}

void Executor::admit(Instance instance) {
  const Task& what = task(instance);
  queued_[at(Device::pairs)] -= time_on_pairs(what, runtime_.pairs);
  const bool from_kernel = what.kind == TaskKind::recursive && phases_near();
  ++out_->launches;
  if (what.kind == TaskKind::recursive) --in_preparation_;
  members_.push_back({.key = key_of(instance),
                      .instance = instance,
                      .since = now_,
                      .launched = now_ + (from_kernel ? runtime_.recursive_call : runtime_.host_launch)});
  share_pairs();
}

// Gives the pairs, and the stack's bandwidth that processors leave, to the operations by priority; later operations
// have what is left, until another one ends (Sec. III-C, operation pipeline).
void Executor::share_pairs() {
  std::ranges::sort(members_, {}, &Member::key);
  std::uint32_t free = runtime_.pairs;
  const double available = free_bandwidth();
  double bandwidth = available;
  starved_ = false;
  for (Member& member : members_) {
    const Task& what = task(member.instance);
    const double elapsed = now_ - member.since;
    if (member.rate > 0) {
      member.left = std::max(0.0, member.left - member.rate * elapsed);
      out_->busy[at(Device::pairs)] += member.units * elapsed;
    }
    if (elapsed > 0) emit(Device::pairs, member.instance, member.units, member.since, now_);
    member.since = now_;
    const std::uint32_t usable = std::min(what.pairs, free);
    if (now_ < member.launched) {
      member.units = usable;
      member.rate = 0;
      member.event = member.launched;
    } else {
      double rate = usable / what.pair_work;
      if (what.streaming * rate > bandwidth) {
        rate = bandwidth / what.streaming;
        starved_ = true;
      }
      // Units that the memory cannot feed are left to other operations.
      const double fed = rate * what.pair_work;
      member.units = fed < usable ? static_cast<std::uint32_t>(fed) + 1 : usable;
      member.rate = rate;
      member.event = rate > 0 ? now_ + member.left / rate : never;
      bandwidth = std::max(0.0, bandwidth - rate * what.streaming);
    }
    free -= member.units;
  }
  streamed_ = available - bandwidth;
}

void Executor::emit(Device device, Instance instance, std::uint32_t units, double start, double end) {
  if (!record_ || units == 0) return;
  const Place where = place(instance);
  out_->timeline.push_back({where.stream, where.step, where.task, device, units, start, end});
}

void Executor::end_stage(Instance instance) {
  const bool flow = out_->placements[instance] == Device::pairs && task(instance).kind == TaskKind::recursive;
  if (!flow || stage_[instance] == 2) return finish(instance);
  if (stage_[instance] == 0) {
    stage_[instance] = 1;
    prepared_.push_back(instance);
    return;
  }
  stage_[instance] = 2;
  begin_phase(instance);
}

void Executor::prepare_pairs(Instance instance) {
  ++in_preparation_;
  begin_phase(instance);
}

void Executor::begin_phase(Instance instance) {
  const Device device = phases_near() ? Device::programmable : Device::host;
  if (!runtime_.serial) return push(device, instance);
  start(phases_near() ? programmable_.front() : host_, device, instance);
}

void Executor::finish(Instance instance) {
  const Place where = place(instance);
  const Stream& stream = streams_[where.stream];
  const Instance first = instance - where.task;
  if (owner_ == instance) owner_ = nobody;
  --left_;
  const auto release = [this](Instance next) {
    if (--waiting_[next] == 0) stack_.push_back(next);
  };
  for (const std::uint32_t next : stream.graph->after(where.task)) release(first + next);
  if (where.step + 1 < stream.steps) {
    for (const std::uint32_t next : stream.graph->after_in_next_step(where.task)) {
      release(first + stream.graph->size() + next);
    }
  }
  Progress& progress = progress_[where.stream];
  if (--step_left_[first_step_[where.stream] + where.step] > 0) return;
  if (where.stream == 0) out_->step_ends[where.step] = now_;
  out_->stream_ends[where.stream] = now_;
  while (progress.ended < stream.steps && step_left_[first_step_[where.stream] + progress.ended] == 0) ++progress.ended;
  open_steps(where.stream);
}

void Executor::advance() {
  const double next = next_event();
  if (next == never) throw std::logic_error("tasks are left, but nothing runs");
  account_until(next);
  now_ = next;
  end_running(Device::host, host_);
  for (Running& slot : programmable_) end_running(Device::programmable, slot);
  bool changed = starved_ && free_bandwidth() > streamed_;
  for (const Member& member : members_) changed = changed || member.event <= now_;
  if (changed) end_members();
  settle();
}

double Executor::next_event() const {
  double next = host_.end;
  for (const Running& slot : programmable_) next = std::min(next, slot.end);
  for (const Member& member : members_) next = std::min(next, member.event);
  return next;
}

// Splits the time until the next event into operation, data movement and synchronization.
void Executor::account_until(double next) {
  double operation = 0;
  double movement = 0;
  const auto runs = [&](const Running& slot) {
    if (slot.instance == nobody) return;
    operation = std::max(operation, slot.operation);
    movement = std::max(movement, slot.movement);
  };
  runs(host_);
  for (const Running& slot : programmable_) runs(slot);
  for (const Member& member : members_) {
    if (member.rate > 0) operation = 1;
  }
  movement = std::min(movement, 1 - operation);
  const double elapsed = next - now_;
  out_->operation += operation * elapsed;
  out_->movement += movement * elapsed;
  out_->synchronization += (1 - operation - movement) * elapsed;
}

void Executor::end_running(Device device, Running& slot) {
  if (slot.instance == nobody || slot.end > now_) return;
  const Running ended = slot;
  slot = {};
  out_->busy[at(device)] += ended.end - ended.start;
  emit(device, ended.instance, 1, ended.start, ended.end);
  end_stage(ended.instance);
}

// Ends the operations whose last work on pairs is done now; the others share the pairs anew.
void Executor::end_members() {
  for (Member& member : members_) {
    if (member.event <= now_ && now_ >= member.launched && member.rate > 0) member.left = -1;
  }
  for (Member& member : members_) {
    if (member.left >= 0) continue;
    out_->busy[at(Device::pairs)] += member.units * (now_ - member.since);
    emit(Device::pairs, member.instance, member.units, member.since, now_);
  }
  const auto gone =
      std::partition(members_.begin(), members_.end(), [](const Member& member) { return member.left >= 0; });
  const auto ended = static_cast<std::size_t>(members_.end() - gone);
  for (std::size_t i = members_.size() - ended; i < members_.size(); ++i) ended_.push_back(members_[i].instance);
  members_.resize(members_.size() - ended);
  share_pairs();
  for (const Instance instance : ended_) end_stage(instance);
  ended_.clear();
}

}  // namespace pimsweep::systems::heteropim::runtime
