#include <algorithm>
#include <bit>

#include "hardware/dram/periods.h"

namespace pimsweep::hardware::dram {

std::int64_t Periods::waiting_reads(const Channel& channel) {
  return channel.queues_[0].size() + std::popcount(channel.active_banks_[0]);
}

/// The longest known trajectory from here that ends before the law does and before the next refresh; `nullptr` if there
/// is none. Sets `known` if a trajectory from here is known at all. state_ must describe the channel.
const Periods::Trajectory* Periods::longest_trajectory(const Regularity& law, bool at_refresh, const Channel& channel,
                                                       const TrafficSource& source, bool& known) const {
  const Sketch here = sketch(channel);
  const std::int64_t clocks = pending(channel);
  const Trajectory* longest = nullptr;
  for (const Trajectory& trajectory : trajectories_) {
    const Remembered& from = trajectory.from;
    if (trajectory.at_refresh != at_refresh || from.pending != clocks || from.sketch != here) continue;
    if (from.state.all != state_.all || !same_banks(from.state, state_)) continue;
    known = true;
    const bool longer = longest == nullptr || trajectory.done.requests > longest->done.requests;
    if (longer && fits(trajectory, law, channel, source)) longest = &trajectory;
  }
  return longest;
}

/// Follows a known trajectory from here, or starts recording one. `law`: the law that all its requests must follow.
bool Periods::take_trajectory(const Regularity& law, bool at_refresh, Channel& channel, TrafficSource& source) {
  // A trajectory that follows the law of a row ends with it.
  if (begun_law_ != &law) begun_law_ = nullptr;
  if (law.end(oldest(channel)) != law.end(channel.index_)) return false;
  describe(channel, source, at_refresh ? &law : nullptr);
  bool known = false;
  const Trajectory* trajectory = longest_trajectory(law, at_refresh, channel, source, known);
  if (!known && begun_law_ == nullptr) begin_trajectory(law, at_refresh, channel);
  if (trajectory == nullptr) return false;
  begun_law_ = nullptr;
  follow(*trajectory, channel, source);
  return true;
}

void Periods::begin_trajectory(const Regularity& law, bool at_refresh, const Channel& channel) {
  begun_law_ = &law;
  begun_.at_refresh = at_refresh;
  begun_.waiting_reads = waiting_reads(channel);
  remember(begun_.from, channel);
  next_stage_ = no_index;
}

/// Follows the longest known part of an orbit's period from its state, and records further parts, one per stage of the
/// period.
bool Periods::take_part(const Regularity& law, const Orbit& orbit, Channel& channel, TrafficSource& source) {
  // Recording parts is not worthwhile for an orbit that has not recurred after a refresh.
  if (orbit.next_refresh == channel.next_refresh_) return false;
  const std::int64_t stage = law.next_begin(orbit.period.requests / stages - 1);
  if (stage < min_stage || law.end(oldest(channel)) != law.end(channel.index_)) return false;
  describe(channel, source, nullptr);
  bool known = false;
  const Trajectory* trajectory = longest_trajectory(law, false, channel, source, known);
  begin_trajectory(law, false, channel);
  next_stage_ = channel.index_ + stage + (trajectory == nullptr ? 0 : trajectory->done.requests);
  stage_ = stage;
  if (trajectory != nullptr) follow(*trajectory, channel, source);
  levels_[0].next = std::min(levels_[0].next, next_stage_);
  return trajectory != nullptr;
}

/// Stores the part of a period up to here, if a stage ends here.
void Periods::end_stage(Level& level, const Channel& channel) {
  if (begun_law_ == nullptr || channel.index_ < next_stage_) return;
  store_trajectory(channel);
  next_stage_ += stage_;
  level.next = std::min(level.next, next_stage_);
}

bool Periods::fits(const Trajectory& trajectory, const Regularity& law, const Channel& channel,
                   const TrafficSource& source) const {
  const std::int64_t taken = channel.index_ + trajectory.done.requests + (trajectory.to->held_ ? 1 : 0);
  if (taken > end(law, channel, source)) return false;
  return trajectory.at_refresh || channel.cycle_ + trajectory.done.clocks < channel.next_refresh_;
}

/// Puts the channel into the state at the end of the trajectory, shifted by the distance between the two first states.
void Periods::follow(const Trajectory& trajectory, Channel& channel, TrafficSource& source) {
  const Progress here = progress(channel);
  Progress between;
  between.requests = channel.index_ - trajectory.from.progress.requests;
  between.clocks = channel.cycle_ - trajectory.from.progress.clocks;
  const std::int64_t visits =
      laws_.coarse.visit(channel.index_) - laws_.coarse.visit(trajectory.from.progress.requests);
  const std::int64_t taken = channel.index_ + (channel.held_ ? 1 : 0);
  const std::int64_t next_refresh = channel.next_refresh_;
  static_cast<ChannelState&>(channel) = *trajectory.to;
  if (trajectory.at_refresh) {
    channel.next_refresh_ += between.clocks;
  } else {
    channel.next_refresh_ = next_refresh;
  }
  source.skip(channel.index_ + (channel.held_ ? 1 : 0) - taken);
  channel.result_.cycles = channel.cycle_ + trajectory.cycles;
  channel.result_.cycles_last_accept = channel.cycle_ + trajectory.cycles_last_accept;
  for_each_count(channel.result_, trajectory.done.counts,
                 [](std::int64_t& count, std::int64_t more) { count += more; });
  // Latencies are sums of answers minus arrivals, and the numbers of both may differ.
  channel.result_.read_latency -= (waiting_reads(channel) - trajectory.waiting_reads) * between.clocks;
  repeat(channel, source, between, visits, {nullptr, 1, true});
  channel.skipped_open_clocks_ += here.open_clocks + trajectory.done.open_clocks - progress(channel).open_clocks;
  followed_until_ = channel.cycle_;
  resume_search_at(channel.index_);
}

/// The channel is on an orbit: stores how it got there.
void Periods::end_trajectory(const Channel& channel) {
  if (begun_law_ != nullptr && next_stage_ == no_index) store_trajectory(channel);
  begun_law_ = nullptr;
}

/// Stores the trajectory from its first state, if all its requests follow the law.
void Periods::store_trajectory(const Channel& channel) {
  const std::int64_t taken = channel.index_ + (channel.held_ ? 1 : 0);
  if (taken > begun_law_->end(begun_.from.progress.requests)) return;
  const std::size_t max_stored = std::min(max_trajectories, max_trajectory_bytes / channel.bytes());
  if (max_stored == 0) return;
  if (trajectories_.size() < max_stored) trajectories_.emplace_back();
  Trajectory& trajectory = trajectories_[seen_trajectories_++ % max_stored];
  trajectory.from = begun_.from;
  trajectory.at_refresh = begun_.at_refresh;
  trajectory.waiting_reads = begun_.waiting_reads;
  trajectory.done = since(channel, begun_.from.progress);
  trajectory.cycles = channel.result_.cycles - channel.cycle_;
  trajectory.cycles_last_accept = channel.result_.cycles_last_accept - channel.cycle_;
  const ChannelState& state = channel;
  trajectory.to = std::make_unique<ChannelState>(state);
}

}  // namespace pimsweep::hardware::dram
