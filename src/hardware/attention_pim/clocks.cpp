#include "hardware/attention_pim/clocks.h"

#include <algorithm>
#include <cmath>

#include "hardware/attention_pim/channel_clock.h"
#include "hardware/integer_math.h"
#include "hardware/refresh.h"

namespace pimsweep::hardware::attention_pim {

namespace {

/// Clocks of the data bus for the transfers of one head.
struct MoveClocks {
  double queries = 0;
  double softmax = 0;
  double scores = 0;
  double results_of_group = 0;
  double results_of_chunk = 0;

  MoveClocks(const Device& device, const HeadCommands& head, Placement placement) {
    // Queries go to one bank group, like all transfers on the buffer die; other transfers alternate between groups.
    const auto same = static_cast<double>(std::max({device.nCCDL, device.nCCDS, device.nBL}));
    const auto apart = static_cast<double>(std::max(device.nCCDS, device.nBL));
    const double other = placement == Placement::buffer ? same : apart;
    queries = same * static_cast<double>(head.queries);
    softmax = apart;
    scores = other * static_cast<double>(head.scores);
    results_of_group = other * static_cast<double>(head.results_of_group);
    results_of_chunk = other * static_cast<double>(head.results_of_chunk);
  }
};

/// Rounds of heads on a channel.
class RoundSchedule {
 public:
  RoundSchedule(const Device& device, const AttentionShape& shape, const ClockOptions& options)
      : head_(device, options.placement, shape),
        moves_(device, head_, options.placement),
        channel_(device, options),
        barrier_rows_(device.barrier_rows),
        commands_(options.commands) {}

  double pairs(std::int64_t count);
  void last_round();
  /// Clock of the last result.
  double end() const { return channel_.now() + (started_ ? moves_.results_of_chunk : 0); }

 private:
  void pair();
  void begin_head();
  /// Runs barriers `from` to `to` of a score GEMV.
  void score(std::int64_t from, std::int64_t to, double moves);
  void context(double scores);

  HeadCommands head_;
  MoveClocks moves_;
  ChannelClock channel_;
  std::int64_t barrier_rows_ = 0;
  Commands commands_ = Commands::needed;
  bool started_ = false;
};

void RoundSchedule::begin_head() {
  channel_.move(moves_.queries + (started_ ? moves_.results_of_chunk : 0));
  channel_.start_matrix();
  started_ = true;
}

void RoundSchedule::score(std::int64_t from, std::int64_t to, double moves) {
  const std::int64_t full = std::min(to, head_.rows / barrier_rows_);
  if (full > from) channel_.run(full - from, barrier_rows_ * head_.chunks, moves);
  const std::int64_t rest = head_.rows % barrier_rows_;
  if (to == head_.groups && to > from && rest > 0) channel_.run(1, rest * head_.chunks, moves);
}

/// Runs the GEMV of a head's scores with its values; `scores` are the transfers of the other head's scores.
void RoundSchedule::context(double scores) {
  const std::int64_t later = head_.chunks / 2;
  const double share = scores / static_cast<double>(head_.chunks - later);
  for (std::int64_t chunk = 0; chunk < head_.chunks; ++chunk) {
    double moves = chunk == 0 ? moves_.results_of_group : moves_.results_of_chunk;
    if (chunk >= later) moves += share;
    channel_.run(1, head_.rows, moves);
  }
}

void RoundSchedule::pair() {
  begin_head();
  const double queries = moves_.queries / static_cast<double>(head_.groups);
  score(0, 1, queries);
  score(1, head_.groups, moves_.results_of_group + queries);

  channel_.start_matrix();
  const std::int64_t later = head_.groups / 2;
  const double scores = moves_.scores / static_cast<double>(head_.groups - later);
  score(0, 1, moves_.results_of_group + moves_.softmax + (later == 0 ? scores : 0));
  score(1, later, moves_.results_of_group);
  score(std::max<std::int64_t>(1, later), head_.groups, moves_.results_of_group + scores);

  channel_.start_matrix();
  context(moves_.softmax + moves_.scores);
  if (commands_ == Commands::needed) {
    channel_.start_matrix();
  } else {
    channel_.repeat_matrix();
  }
  context(0);
}

double RoundSchedule::pairs(std::int64_t count) {
  // From the second pair on, all pairs take the same time.
  constexpr std::int64_t settling = 2;
  for (std::int64_t i = 0; i < std::min(count, settling); ++i) pair();
  if (count <= settling) return 0;
  const double before = channel_.now();
  pair();
  return (channel_.now() - before) * static_cast<double>(count - settling - 1);
}

void RoundSchedule::last_round() {
  begin_head();
  const bool repeats = commands_ == Commands::tabulated;
  const double softmax = moves_.softmax + moves_.scores;
  if (!repeats) {
    score(0, 1, 0);
    score(1, head_.groups, moves_.results_of_group);
    channel_.move(moves_.results_of_group + softmax);
  } else {
    for (std::int64_t group = 0; group < head_.groups; ++group) {
      score(group, group + 1, group == 0 ? 0 : moves_.results_of_group);
      channel_.move(softmax);
    }
    channel_.move(moves_.results_of_group + softmax);
  }
  channel_.start_matrix();
  context(0);
}

}  // namespace

Clocks clocks(const Device& device, const AttentionShape& shape, const ClockOptions& options) {
  const std::int64_t all_rounds = rounds(device, shape);
  RoundSchedule schedule(device, shape, options);
  const double skipped = schedule.pairs(all_rounds / 2);
  if (all_rounds % 2 != 0) schedule.last_round();
  Clocks result{.total = std::ceil(schedule.end() + skipped)};
  if (!options.refresh) return result;
  // A refresh becomes due in every channel after one interval. It closes the rows, refreshes one pseudo-channel after
  // another, and opens the rows again.
  const auto interval = static_cast<double>(device.nREFI);
  const auto each = static_cast<double>(device.nRTP + device.nRP + device.pseudo_channels - 1 + device.nRFC +
                                        device.nRCD + device.opening(options.placement));
  require_time_between_refreshes(interval, each);
  result.refreshes = std::max(0.0, std::floor((result.total - each) / (interval - each)));
  result.refresh_clocks = result.refreshes * each;
  result.total += result.refresh_clocks;
  return result;
}

}  // namespace pimsweep::hardware::attention_pim
