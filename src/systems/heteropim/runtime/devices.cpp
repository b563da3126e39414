#include "systems/heteropim/runtime/devices.h"

#include <algorithm>
#include <functional>

namespace pimsweep::systems::heteropim::runtime {

double time_on_pairs(const Task& task, std::uint32_t pairs) {
  return std::max(task.pair_work / std::min(task.pairs, pairs), task.streaming);
}

void Recorder::reset(const Instances& instances, bool timeline, Execution& out) {
  instances_ = &instances;
  timeline_ = timeline;
  out_ = &out;
  const std::span<const Stream> streams = instances.streams();
  out.placements.assign(instances.size(), Device::host);
  out.step_ends.assign(streams.empty() ? 0 : streams[0].steps, 0);
  out.stream_ends.assign(streams.size(), 0);
  std::ranges::fill(out.busy, 0.0);
  out.operation = out.movement = out.synchronization = 0;
  out.launches = 0;
  out.timeline.clear();
}

void Recorder::add_segment(Device device, Instance instance, std::uint32_t units, double start, double end) {
  if (!timeline_ || units == 0) return;
  const Instances::Place at = instances_->place(instance);
  out_->timeline.push_back({at.stream, at.step, at.task, device, units, start, end});
}

void DeviceQueues::reset() {
  for (std::size_t device = 0; device < devices; ++device) {
    keys_[device].clear();
    backlog_[device] = 0;
  }
}

void DeviceQueues::push(Device device, std::uint32_t key) {
  auto& keys = keys_[at(device)];
  keys.push_back(key);
  std::ranges::push_heap(keys, std::greater{});
}

std::uint32_t DeviceQueues::pop(Device device) {
  auto& keys = keys_[at(device)];
  std::ranges::pop_heap(keys, std::greater{});
  const std::uint32_t key = keys.back();
  keys.pop_back();
  return key;
}

void Processors::reset(std::uint32_t programmable) {
  host_ = {};
  programmable_.assign(programmable, {});
}

Processor* Processors::idle_programmable() {
  const auto idle = std::ranges::find_if(programmable_, &Processor::idle);
  return idle == programmable_.end() ? nullptr : &*idle;
}

bool Processors::all_idle() const { return host_.idle() && std::ranges::all_of(programmable_, &Processor::idle); }

double Processors::next_end() const {
  double next = host_.end;
  for (const Processor& processor : programmable_) next = std::min(next, processor.end);
  return next;
}

double Processors::free_bandwidth() const {
  double left = 1 - host_.bandwidth;
  for (const Processor& processor : programmable_) left -= processor.bandwidth;
  return std::max(0.0, left);
}

void PairPool::reset(const Instances& instances, std::uint32_t pairs) {
  instances_ = &instances;
  pairs_ = pairs;
  members_.clear();
  streamed_ = 0;
  starved_ = false;
  ended_.clear();
}

std::uint32_t PairPool::used() const {
  std::uint32_t used = 0;
  for (const Member& member : members_) used += member.units;
  return used;
}

bool PairPool::computes() const {
  return std::ranges::any_of(members_, [](const Member& member) { return member.rate > 0; });
}

double PairPool::add_remaining(double seconds, double now) const {
  for (const Member& member : members_) {
    const double left = member.left - member.rate * (now - member.since);
    seconds += left * time_on_pairs(*member.task, pairs_);
  }
  return seconds;
}

double PairPool::next_event() const {
  double next = never;
  for (const Member& member : members_) next = std::min(next, member.event);
  return next;
}

bool PairPool::changes(double now, double available_bandwidth) const {
  if (starved_ && available_bandwidth > streamed_) return true;
  return std::ranges::any_of(members_, [now](const Member& member) { return member.event <= now; });
}

void PairPool::admit(Instance instance, double launched, double now) {
  members_.push_back({.key = instances_->key_of(instance),
                      .instance = instance,
                      .task = &instances_->task(instance),
                      .since = now,
                      .launched = launched});
}

void PairPool::share(double now, double available_bandwidth, Recorder& recorder) {
  std::ranges::sort(members_, {}, &Member::key);
  std::uint32_t free = pairs_;
  double bandwidth = available_bandwidth;
  starved_ = false;
  for (Member& member : members_) {
    const Task& task = *member.task;
    const double elapsed = now - member.since;
    if (member.rate > 0) {
      member.left = std::max(0.0, member.left - member.rate * elapsed);
      recorder.add_busy(Device::pairs, member.units * elapsed);
    }
    if (elapsed > 0) recorder.add_segment(Device::pairs, member.instance, member.units, member.since, now);
    member.since = now;
    const std::uint32_t usable = std::min(task.pairs, free);
    if (now < member.launched) {
      member.units = usable;
      member.rate = 0;
      member.event = member.launched;
    } else {
      double rate = usable / task.pair_work;
      if (task.streaming * rate > bandwidth) {
        rate = bandwidth / task.streaming;
        starved_ = true;
      }
      // Units that the memory cannot feed are left to other operations.
      const double fed = rate * task.pair_work;
      member.units = fed < usable ? static_cast<std::uint32_t>(fed) + 1 : usable;
      member.rate = rate;
      member.event = rate > 0 ? now + member.left / rate : never;
      bandwidth = std::max(0.0, bandwidth - rate * task.streaming);
    }
    free -= member.units;
  }
  streamed_ = available_bandwidth - bandwidth;
}

std::span<const Instance> PairPool::retire(double now, double available_bandwidth, Recorder& recorder) {
  for (Member& member : members_) {
    if (member.event <= now && now >= member.launched && member.rate > 0) member.left = -1;
  }
  for (const Member& member : members_) {
    if (member.left >= 0) continue;
    recorder.add_busy(Device::pairs, member.units * (now - member.since));
    recorder.add_segment(Device::pairs, member.instance, member.units, member.since, now);
  }
  const auto gone =
      std::partition(members_.begin(), members_.end(), [](const Member& member) { return member.left >= 0; });
  ended_.clear();
  std::transform(gone, members_.end(), std::back_inserter(ended_),
                 [](const Member& member) { return member.instance; });
  members_.erase(gone, members_.end());
  share(now, available_bandwidth, recorder);
  return ended_;
}

}  // namespace pimsweep::systems::heteropim::runtime
