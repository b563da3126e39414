#include <algorithm>
#include <bit>

#include "hardware/dram/channel.h"
#include "hardware/dram/periods.h"

namespace pimsweep::hardware::dram {

std::int64_t Periods::waiting_reads(const Channel& channel) {
  return channel.queues_[0].size() + std::popcount(channel.active_banks_[0]);
}

/// Follows a known passage from here, or begins a new one. `law`: one that all requests have to keep to.
bool Periods::take_passage(const Regularity& law, bool at_refresh, Channel& channel, TrafficSource& source) {
  // One that keeps to a law of a row ends with it.
  if (begun_law_ != &law) begun_law_ = nullptr;
  if (law.end(oldest(channel)) != law.end(channel.index_)) return false;
  describe(channel, source, at_refresh ? &law : nullptr);
  const Sketch here = sketch(channel);
  const std::int64_t clocks = pending(channel);
  const auto known = std::ranges::find_if(passages_, [&](const Passage& passage) {
    const Remembered& from = passage.from;
    return passage.at_refresh == at_refresh && from.pending == clocks && from.sketch == here &&
           from.state.all == state_.all && same_banks(from.state, state_);
  });
  if (known == passages_.end()) {
    if (begun_law_ != nullptr) return false;
    begun_law_ = &law;
    begun_.at_refresh = at_refresh;
    begun_.waiting_reads = waiting_reads(channel);
    remember(begun_.from, channel);
    return false;
  }
  if (!fits(*known, law, channel, source)) return false;
  follow(*known, channel, source);
  return true;
}

bool Periods::fits(const Passage& passage, const Regularity& law, const Channel& channel,
                   const TrafficSource& source) const {
  const std::int64_t taken = channel.index_ + passage.done.requests + (passage.to->held_ ? 1 : 0);
  if (taken > end(law, channel, source)) return false;
  return passage.at_refresh || channel.cycle_ + passage.done.clocks < channel.next_refresh_;
}

/// Puts the channel into the state at the end of the passage, moved by what lies between the two beginnings.
void Periods::follow(const Passage& passage, Channel& channel, TrafficSource& source) {
  begun_law_ = nullptr;
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
  if (begun_law_ == nullptr) return;
  const Regularity& law = *begun_law_;
  begun_law_ = nullptr;
  Passage& passage = begun_;
  const std::int64_t begin = passage.from.progress.requests;
  const std::int64_t taken = channel.index_ + (channel.held_ ? 1 : 0);
  if (taken > law.end(begin)) return;
  const std::size_t most = std::min(max_passages, max_passage_bytes / channel.bytes());
  if (most == 0) return;
  passage.done = since(channel, passage.from.progress);
  passage.cycles = channel.result_.cycles - channel.cycle_;
  passage.cycles_last_accept = channel.result_.cycles_last_accept - channel.cycle_;
  const ChannelState& state = channel;
  passage.to = std::make_unique<ChannelState>(state);
  if (passages_.size() < most) passages_.emplace_back();
  std::swap(passages_[seen_passages_++ % most], passage);
}

}  // namespace pimsweep::hardware::dram
