#include "systems/heteropim/runtime/executor.h"

#include <algorithm>
#include <stdexcept>

namespace pimsweep::systems::heteropim::runtime {

void Executor::run(const Runtime& runtime, std::span<const Stream> streams, bool record, Execution& out) {
  runtime_ = runtime;
  now_ = 0;
  instances_.reset(streams);
  dependencies_.reset(instances_, runtime.operation_pipeline ? 2 : 1);
  queues_.reset();
  processors_.reset(runtime.programmable);
  pairs_.reset(instances_, runtime.pairs);
  recursion_.stage.assign(instances_.size(), 0);
  recursion_.prepared.clear();
  recursion_.in_preparation = 0;
  owner_ = no_instance;
  recorder_.reset(instances_, record, out);
  dependencies_.open_all();
  settle();
  while (dependencies_.unfinished() > 0) {
    dispatch();
    advance();
  }
  out.makespan = now_;
}

// Assigns everything that has become ready. Tasks without work end at once, which makes others ready.
void Executor::settle() {
  std::vector<Instance>& ready = dependencies_.ready();
  std::size_t real = 0;
  while (real < ready.size()) {
    const Instance instance = ready.back();
    if (instances_.task(instance).kind == TaskKind::none) {
      ready.pop_back();
      finish(instance);
    } else {
      std::swap(ready.back(), ready[real++]);
    }
  }
  std::ranges::sort(ready, {}, [this](Instance instance) { return instances_.key_of(instance); });
  for (const Instance instance : ready) assign(instance);
  ready.clear();
}

void Executor::assign(Instance instance) {
  const Instances::Place at = instances_.place(instance);
  const Stream& stream = instances_.streams()[at.stream];
  const Task& task = stream.graph->tasks[at.task];
  Placement placement = Device::host;
  if (runtime_.assignment == Assignment::earliest_end) {
    placement = earliest_end(task);
  } else if (stream.candidate[at.task] != 0) {
    placement = pim_for(task);
  }
  place_on(placement, instance);
}

Placement Executor::pim_for(const Task& task) const {
  if (task.kind != TaskKind::programmable && runtime_.pairs > 0) return Device::pairs;
  return runtime_.programmable > 0 ? Device::programmable : Device::host;
}

void Executor::place_on(Placement placement, Instance instance) {
  const Task& task = instances_.task(instance);
  placement_of(instance) = placement;
  if (placement == Device::pairs) queues_.backlog(Device::pairs) += time_on_pairs(task, runtime_.pairs);
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

// Seconds until the device has finished its running and waiting operations.
double Executor::wait(Device device) const {
  const double seconds = std::max(0.0, queues_.backlog(device));
  if (device == Device::host) return seconds + (processors_.host().idle() ? 0 : processors_.host().end - now_);
  if (device == Device::pairs) return pairs_.add_remaining(seconds, now_);
  double first = never;
  for (const Processor& processor : processors_.programmable()) {
    first = std::min(first, processor.idle() ? 0 : processor.end - now_);
  }
  return first + seconds / static_cast<double>(runtime_.programmable);
}

// Seconds of a stage on host or programmable PIM, launches included.
double Executor::duration(Device device, Instance instance) const {
  const Task& task = instances_.task(instance);
  const bool phase = placement_of(instance) == Device::pairs;
  if (device == Device::host) return phase ? task.phases_on_host / 2 : task.host;
  const double launch = recursion_.stage[instance] == 0 ? runtime_.host_launch : 0;
  return launch + (phase ? task.phases_on_programmable / 2 : task.programmable);
}

void Executor::push(Device device, Instance instance) {
  if (device != Device::pairs) queues_.backlog(device) += duration(device, instance);
  queues_.push(device, instances_.key_of(instance));
}

Instance Executor::pop(Device device) {
  const Instance instance = instances_.instance_of_key(queues_.pop(device));
  if (device != Device::pairs) queues_.backlog(device) -= duration(device, instance);
  return instance;
}

void Executor::dispatch() {
  if (runtime_.serial) return dispatch_one();
  bool any = true;
  while (any)
    any = start_pairs(false) || start_programmable() || start_host() || fall_back() || start_pairs(true) || help_host();
}

// One operation at a time: the first by priority.
void Executor::dispatch_one() {
  if (owner_ != no_instance) {
    start_pairs(false);
    return;
  }
  if (!processors_.all_idle() || !pairs_.empty()) return;
  Device first = Device::host;
  for (const Device device : {Device::programmable, Device::pairs}) {
    if (queues_.empty(device)) continue;
    if (queues_.empty(first) || queues_.front(device) < queues_.front(first)) first = device;
  }
  if (first == Device::host) {
    start_host();
  } else if (first == Device::programmable) {
    start_programmable();
  } else {
    start_pairs(false);
  }
}

// With `ahead`, also begins operations for which there are no pairs yet.
bool Executor::start_pairs(bool ahead) {
  const bool one_at_a_time = !runtime_.operation_pipeline || runtime_.serial;
  const std::uint32_t used = pairs_.used();
  std::vector<Instance>& prepared = recursion_.prepared;
  if (!prepared.empty() && used < runtime_.pairs) {
    const Instance instance = prepared.front();
    prepared.erase(prepared.begin());
    admit(instance);
    return true;
  }
  if (queues_.empty(Device::pairs) || (one_at_a_time && owner_ != no_instance)) return false;
  const bool phase = first_task(Device::pairs).kind == TaskKind::recursive;
  // While others have the pairs, no more first phases are prepared than can run: the other operations may still go
  // elsewhere.
  const std::size_t max_prepared = ahead ? std::max<std::size_t>(1, runtime_.programmable) : 1;
  if (phase ? recursion_.in_preparation >= max_prepared || (!ahead && used > 0) : used >= runtime_.pairs) return false;
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
  if (queues_.empty(Device::programmable)) return false;
  Processor* const processor = processors_.idle_programmable();
  if (processor == nullptr) return false;
  start(*processor, Device::programmable, pop(Device::programmable));
  return true;
}

bool Executor::start_host() {
  if (queues_.empty(Device::host) || !processors_.host().idle()) return false;
  start(processors_.host(), Device::host, pop(Device::host));
  return true;
}

// The second principle: an idle host takes a candidate that waits for a busy PIM.
bool Executor::fall_back() {
  if (runtime_.fallback == Fallback::never || !processors_.host().idle()) return false;
  for (const Device device : {Device::pairs, Device::programmable}) {
    if (queues_.empty(device)) continue;
    const Instance instance = instances_.instance_of_key(queues_.front(device));
    const Task& task = instances_.task(instance);
    // A phase of an operation that has begun stays.
    if (placement_of(instance) != device) continue;
    if (runtime_.fallback == Fallback::earlier) {
      // The device would take this operation next.
      const double behind = std::max(0.0, queues_.backlog(device));
      const double shared = device == Device::programmable ? static_cast<double>(runtime_.programmable) : 1.0;
      if (task.host >= wait(device) - behind / shared + estimate(device, task)) continue;
    }
    pop(device);
    if (device == Device::pairs) queues_.backlog(device) -= time_on_pairs(task, runtime_.pairs);
    placement_of(instance) = Device::host;
    start(processors_.host(), Device::host, instance);
    return true;
  }
  return false;
}

// Idle PIM may take operations that are not candidates and wait for the busy host (Sec. II-A).
bool Executor::help_host() {
  const bool helps = runtime_.idle_pim_helps && runtime_.assignment == Assignment::principles;
  if (!helps || queues_.empty(Device::host) || processors_.host().idle()) return false;
  const Instance instance = instances_.instance_of_key(queues_.front(Device::host));
  // A phase of an operation on pairs stays.
  if (placement_of(instance) != Device::host) return false;
  const Device pim = pim_for(instances_.task(instance));
  if (pim == Device::host || !is_idle(pim)) return false;
  pop(Device::host);
  place_on(pim, instance);
  return true;
}

bool Executor::is_idle(Device pim) const {
  if (!queues_.empty(pim)) return false;
  if (pim == Device::programmable) return std::ranges::any_of(processors_.programmable(), &Processor::idle);
  return pairs_.empty() && recursion_.prepared.empty() && recursion_.in_preparation == 0 && owner_ == no_instance;
}

void Executor::start(Processor& processor, Device device, Instance instance) {
  const Task& task = instances_.task(instance);
  const bool phase = placement_of(instance) == Device::pairs;
  const double seconds = duration(device, instance);
  processor = {.instance = instance, .start = now_, .end = now_ + seconds};
  if (device == Device::programmable && recursion_.stage[instance] == 0) ++recorder_.out().launches;
  if (seconds <= 0) return;
  const double alone = device == Device::host ? task.host_streaming : task.programmable_streaming;
  processor.bandwidth = (phase ? task.phase_streaming / 2 : alone) / seconds;
  if (device == Device::programmable) {
    processor.operation = (phase ? task.phases_on_programmable / 2 : task.programmable) / seconds;
  } else {
    // A phase on the host is data that it rearranges.
    processor.movement = phase ? 1 : task.host_movement / seconds;
    processor.operation = 1 - processor.movement;
  }
  const double available = processors_.free_bandwidth();
  if (processor.bandwidth > 0 && pairs_.streamed() > available) pairs_.share(now_, available, recorder_);
}

void Executor::admit(Instance instance) {
  const Task& task = instances_.task(instance);
  queues_.backlog(Device::pairs) -= time_on_pairs(task, runtime_.pairs);
  const bool from_kernel = task.kind == TaskKind::recursive && phases_near();
  ++recorder_.out().launches;
  if (task.kind == TaskKind::recursive) --recursion_.in_preparation;
  pairs_.admit(instance, now_ + (from_kernel ? runtime_.recursive_call : runtime_.host_launch), now_);
  pairs_.share(now_, processors_.free_bandwidth(), recorder_);
}

void Executor::end_stage(Instance instance) {
  const bool flow = placement_of(instance) == Device::pairs && instances_.task(instance).kind == TaskKind::recursive;
  if (!flow || recursion_.stage[instance] == 2) return finish(instance);
  if (recursion_.stage[instance] == 0) {
    recursion_.stage[instance] = 1;
    recursion_.prepared.push_back(instance);
    return;
  }
  recursion_.stage[instance] = 2;
  begin_phase(instance);
}

void Executor::prepare_pairs(Instance instance) {
  ++recursion_.in_preparation;
  begin_phase(instance);
}

void Executor::begin_phase(Instance instance) {
  const Device device = phases_near() ? Device::programmable : Device::host;
  if (!runtime_.serial) return push(device, instance);
  start(phases_near() ? processors_.programmable().front() : processors_.host(), device, instance);
}

void Executor::finish(Instance instance) {
  if (owner_ == instance) owner_ = no_instance;
  if (!dependencies_.finish(instance)) return;
  const Instances::Place at = instances_.place(instance);
  if (at.stream == 0) recorder_.out().step_ends[at.step] = now_;
  recorder_.out().stream_ends[at.stream] = now_;
}

void Executor::advance() {
  const double next = std::min(processors_.next_end(), pairs_.next_event());
  if (next == never) throw std::logic_error("tasks are left, but nothing runs");
  account_until(next);
  now_ = next;
  end_running(Device::host, processors_.host());
  for (Processor& processor : processors_.programmable()) end_running(Device::programmable, processor);
  const double available = processors_.free_bandwidth();
  if (pairs_.changes(now_, available)) {
    for (const Instance instance : pairs_.retire(now_, available, recorder_)) end_stage(instance);
  }
  settle();
}

// Splits the time until the next event into operation, data movement and synchronization.
void Executor::account_until(double next) {
  double operation = 0;
  double movement = 0;
  const auto add = [&](const Processor& processor) {
    if (processor.idle()) return;
    operation = std::max(operation, processor.operation);
    movement = std::max(movement, processor.movement);
  };
  add(processors_.host());
  for (const Processor& processor : processors_.programmable()) add(processor);
  if (pairs_.computes()) operation = 1;
  movement = std::min(movement, 1 - operation);
  const double elapsed = next - now_;
  Execution& out = recorder_.out();
  out.operation += operation * elapsed;
  out.movement += movement * elapsed;
  out.synchronization += (1 - operation - movement) * elapsed;
}

void Executor::end_running(Device device, Processor& processor) {
  if (processor.idle() || processor.end > now_) return;
  const Processor ended = processor;
  processor = {};
  recorder_.add_busy(device, ended.end - ended.start);
  recorder_.add_segment(device, ended.instance, 1, ended.start, ended.end);
  end_stage(ended.instance);
}

}  // namespace pimsweep::systems::heteropim::runtime
