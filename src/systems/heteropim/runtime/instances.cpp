#include "systems/heteropim/runtime/instances.h"

#include <algorithm>

namespace pimsweep::systems::heteropim::runtime {

void Instances::reset(std::span<const Stream> streams) {
  streams_ = streams;
  first_.assign(1, 0);
  rank_.resize(streams.size());
  for (std::size_t s = 0; s < streams.size(); ++s) {
    const std::uint32_t size = streams[s].graph->size();
    first_.push_back(first_.back() + streams[s].steps * size);
    rank_[s].resize(size);
    for (std::uint32_t i = 0; i < size; ++i) rank_[s][streams[s].order[i]] = i;
  }
}

Instances::Place Instances::place(Instance instance) const {
  std::uint32_t stream = 0;
  while (stream + 1 < streams_.size() && instance >= first_[stream + 1]) ++stream;
  const std::uint32_t size = streams_[stream].graph->size();
  const std::uint32_t within = instance - first_[stream];
  return {stream, within / size, within % size};
}

const Task& Instances::task(Instance instance) const {
  const Place at = place(instance);
  return streams_[at.stream].graph->tasks[at.task];
}

std::uint32_t Instances::key_of(Instance instance) const {
  const Place at = place(instance);
  return instance - at.task + rank_[at.stream][at.task];
}

Instance Instances::instance_of_key(std::uint32_t key) const {
  const Place at = place(key);
  return key - at.task + streams_[at.stream].order[at.task];
}

void Dependencies::reset(const Instances& instances, std::uint32_t open_steps) {
  instances_ = &instances;
  open_steps_ = open_steps;
  waits_for_.clear();
  step_unfinished_.clear();
  progress_.clear();
  ready_.clear();
  for (const Stream& stream : instances.streams()) {
    const TaskGraph& graph = *stream.graph;
    progress_.push_back({.first_step = static_cast<std::uint32_t>(step_unfinished_.size())});
    for (std::uint32_t step = 0; step < stream.steps; ++step) {
      step_unfinished_.push_back(graph.size());
      for (std::uint32_t i = 0; i < graph.size(); ++i) {
        // A task without predecessors in the step waits until the step is opened.
        const std::uint32_t gate = graph.waits_for[i] == 0 ? 1 : 0;
        waits_for_.push_back(graph.waits_for[i] + gate + (step > 0 ? graph.carried_waits_for[i] : 0));
      }
    }
  }
  unfinished_ = waits_for_.size();
}

void Dependencies::open_all() {
  for (std::uint32_t stream = 0; stream < progress_.size(); ++stream) open(stream);
}

void Dependencies::open(std::uint32_t stream) {
  const Stream& work = instances_->streams()[stream];
  Progress& progress = progress_[stream];
  for (; progress.opened < std::min(progress.ended + open_steps_, work.steps); ++progress.opened) {
    const Instance first = instances_->first(stream) + progress.opened * work.graph->size();
    for (std::uint32_t i = 0; i < work.graph->size(); ++i) {
      if (work.graph->waits_for[i] == 0) release(first + i);
    }
  }
}

bool Dependencies::finish(Instance instance) {
  const Instances::Place at = instances_->place(instance);
  const Stream& stream = instances_->streams()[at.stream];
  const Instance first = instance - at.task;
  --unfinished_;
  for (const std::uint32_t next : stream.graph->after(at.task)) release(first + next);
  if (at.step + 1 < stream.steps) {
    for (const std::uint32_t next : stream.graph->after_in_next_step(at.task)) {
      release(first + stream.graph->size() + next);
    }
  }
  Progress& progress = progress_[at.stream];
  if (--step_unfinished_[progress.first_step + at.step] > 0) return false;
  while (progress.ended < stream.steps && step_unfinished_[progress.first_step + progress.ended] == 0) ++progress.ended;
  open(at.stream);
  return true;
}

}  // namespace pimsweep::systems::heteropim::runtime
