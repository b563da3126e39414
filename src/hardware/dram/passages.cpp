#include <algorithm>
#include <bit>

#include "hardware/dram/periods.h"

namespace pimsweep::hardware::dram {

std::int64_t Periods::waiting_reads(const Channel& channel) {
  return channel.queues_[0].size() + std::popcount(channel.active_banks_[0]);
}

/// The longest known passage from here that ends before the law does and the next refresh is due; `nullptr` if none
/// does. `known`: whether there is one that does not. state_ has to describe the channel.
const Periods::Passage* Periods::longest_passage(const Regularity& law, bool at_refresh, const Channel& channel,
                                                 const TrafficSource& source, bool& known) const {
  const Sketch here = sketch(channel);
  const std::int64_t clocks = pending(channel);
  const Passage* longest = nullptr;
  for (const Passage& passage : passages_) {
    const Remembered& from = passage.from;
    if (passage.at_refresh != at_refresh || from.pending != clocks || from.sketch != here) continue;
    if (from.state.all != state_.all || !same_banks(from.state, state_)) continue;
    known = true;
    const bool longer = longest == nullptr || passage.done.requests > longest->done.requests;
    if (longer && fits(passage, law, channel, source)) longest = &passage;
  }
  return longest;
}

/// Follows a known passage from here, or begins a new one. `law`: one that all requests have to keep to.
bool Periods::take_passage(const Regularity& law, bool at_refresh, Channel& channel, TrafficSource& source) {
  // One that keeps to a law of a row ends with it.
  if (begun_law_ != &law) begun_law_ = nullptr;
  if (law.end(oldest(channel)) != law.end(channel.index_)) return false;
  describe(channel, source, at_refresh ? &law : nullptr);
  bool known = false;
  const Passage* passage = longest_passage(law, at_refresh, channel, source, known);
  if (!known && begun_law_ == nullptr) begin_passage(law, at_refresh, channel);
  if (passage == nullptr) return false;
  begun_law_ = nullptr;
  follow(*passage, channel, source);
  return true;
}

void Periods::begin_passage(const Regularity& law, bool at_refresh, const Channel& channel) {
  begun_law_ = &law;
  begun_.at_refresh = at_refresh;
  begun_.waiting_reads = waiting_reads(channel);
  remember(begun_.from, channel);
  next_stage_ = no_index;
}

/// Follows the longest known part of an orbit's period from its state, and remembers further parts, one for each stage
/// of the period.
bool Periods::take_part(const Regularity& law, const Orbit& orbit, Channel& channel, TrafficSource& source) {
  // One that does not recur after a refresh is not worth its parts.
  if (orbit.next_refresh == channel.next_refresh_) return false;
  const std::int64_t stage = law.next_begin(orbit.period.requests / stages - 1);
  if (stage < min_stage || law.end(oldest(channel)) != law.end(channel.index_)) return false;
  describe(channel, source, nullptr);
  bool known = false;
  const Passage* passage = longest_passage(law, false, channel, source, known);
  begin_passage(law, false, channel);
  next_stage_ = channel.index_ + stage + (passage == nullptr ? 0 : passage->done.requests);
  stage_ = stage;
  if (passage != nullptr) follow(*passage, channel, source);
  levels_[0].next = std::min(levels_[0].next, next_stage_);
  return passage != nullptr;
}

/// Remembers the part of a period up to here, if a stage ends here.
void Periods::end_stage(Level& level, const Channel& channel) {
  if (begun_law_ == nullptr || channel.index_ < next_stage_) return;
  store_passage(channel);
  next_stage_ += stage_;
  level.next = std::min(level.next, next_stage_);
}

bool Periods::fits(const Passage& passage, const Regularity& law, const Channel& channel,
                   const TrafficSource& source) const {
  const std::int64_t taken = channel.index_ + passage.done.requests + (passage.to->held_ ? 1 : 0);
  if (taken > end(law, channel, source)) return false;
  return passage.at_refresh || channel.cycle_ + passage.done.clocks < channel.next_refresh_;
}

/// Puts the channel into the state at the end of the passage, moved by what lies between the two beginnings.
void Periods::follow(const Passage& passage, Channel& channel, TrafficSource& source) {
  const Progress here = progress(channel);
  Progress between;
  between.requests = channel.index_ - passage.from.progress.requests;
  between.clocks = channel.cycle_ - passage.from.progress.clocks;
  const std::int64_t visits = laws_.coarse.visit(channel.index_) - laws_.coarse.visit(passage.from.progress.requests);
  const std::int64_t taken = channel.index_ + (channel.held_ ? 1 : 0);
  const std::int64_t next_refresh = channel.next_refresh_;
  static_cast<ChannelState&>(channel) = *passage.to;
  if (passage.at_refresh) {
    channel.next_refresh_ += between.clocks;
  } else {
    channel.next_refresh_ = next_refresh;
  }
  source.skip(channel.index_ + (channel.held_ ? 1 : 0) - taken);
  channel.result_.cycles = channel.cycle_ + passage.cycles;
  channel.result_.cycles_last_accept = channel.cycle_ + passage.cycles_last_accept;
  for_each_count(channel.result_, passage.done.counts, [](std::int64_t& count, std::int64_t more) { count += more; });
  // Latencies are sums of answers less arrivals, of which there may have been different numbers.
  channel.result_.read_latency -= (waiting_reads(channel) - passage.waiting_reads) * between.clocks;
  repeat(channel, source, between, visits, {nullptr, 1, true});
  channel.skipped_open_clocks_ += here.open_clocks + passage.done.open_clocks - progress(channel).open_clocks;
  followed_until_ = channel.cycle_;
  look_again_from(channel.index_);
}

/// The channel is on an orbit: remembers how it got there.
void Periods::end_passage(const Channel& channel) {
  if (begun_law_ != nullptr && next_stage_ == no_index) store_passage(channel);
  begun_law_ = nullptr;
}

/// Remembers the passage from where it was begun, if all its requests keep to the law.
void Periods::store_passage(const Channel& channel) {
  const std::int64_t taken = channel.index_ + (channel.held_ ? 1 : 0);
  if (taken > begun_law_->end(begun_.from.progress.requests)) return;
  const std::size_t most = std::min(max_passages, max_passage_bytes / channel.bytes());
  if (most == 0) return;
  if (passages_.size() < most) passages_.emplace_back();
  Passage& passage = passages_[seen_passages_++ % most];
  passage.from = begun_.from;
  passage.at_refresh = begun_.at_refresh;
  passage.waiting_reads = begun_.waiting_reads;
  passage.done = since(channel, begun_.from.progress);
  passage.cycles = channel.result_.cycles - channel.cycle_;
  passage.cycles_last_accept = channel.result_.cycles_last_accept - channel.cycle_;
  const ChannelState& state = channel;
  passage.to = std::make_unique<ChannelState>(state);
}

}  // namespace pimsweep::hardware::dram
