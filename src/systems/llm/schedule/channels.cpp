#include "systems/llm/schedule/channels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/error.h"
#include "systems/llm/schedule/bin_packing.h"
#include "systems/llm/schedule/quantum.h"

namespace pimsweep::systems::llm::schedule {

namespace {

/// Steps of MULTIFIT's bisection, and rounds of exchanges at most.
constexpr int bisections = 20;
constexpr int max_exchanges = 10'000;
/// Maximum number of requests of two channels for which all divisions are tried.
constexpr std::size_t max_divided = 12;
/// Requests up to which bin packing is tried: sums of as many stay within 64 bits.
constexpr std::size_t max_searched = 4'096;

/// Requests from the longest to the shortest, and where each of them is.
struct Packing {
  std::span<const double> seconds;
  std::vector<std::uint32_t> channel;
  std::vector<double> load;

  Packing(std::span<const double> falling, std::size_t channels)
      : seconds(falling), channel(falling.size()), load(channels, 0) {}

  void put(std::size_t request, std::size_t where) {
    channel[request] = static_cast<std::uint32_t>(where);
    load[where] += seconds[request];
  }
  double makespan() const { return *std::ranges::max_element(load); }
};

/// Longest processing time first (Graham 1969): each request to the least loaded channel.
Packing longest_first(std::span<const double> seconds, std::size_t channels) {
  Packing packing(seconds, channels);
  for (std::size_t r = 0; r < seconds.size(); ++r) {
    packing.put(r, static_cast<std::size_t>(std::ranges::min_element(packing.load) - packing.load.begin()));
  }
  return packing;
}

/// First fit of falling lengths into channels of `capacity`; whether all fit.
bool first_fit(Packing& packing, double capacity) {
  std::ranges::fill(packing.load, 0.0);
  for (std::size_t r = 0; r < packing.seconds.size(); ++r) {
    std::size_t where = 0;
    while (where < packing.load.size() && packing.load[where] + packing.seconds[r] > capacity) ++where;
    if (where == packing.load.size()) return false;
    packing.put(r, where);
  }
  return true;
}

/// MULTIFIT (Coffman, Garey and Johnson 1978): bisection over the capacity of first fit.
void multifit(double lower, Packing& best) {
  double upper = best.makespan();
  Packing trial(best.seconds, best.load.size());
  for (int i = 0; i < bisections && lower < upper; ++i) {
    const double capacity = (lower + upper) / 2;
    if (first_fit(trial, capacity)) {
      upper = trial.makespan();
      if (upper < best.makespan()) best = trial;
    } else {
      lower = capacity;
    }
  }
}

/// Moves a request off the channel that ends last, or exchanges one with a shorter one elsewhere, so that the later of
/// both channels ends as early as possible; false if nothing ends earlier.
bool exchange(Packing& packing) {
  const auto last = static_cast<std::size_t>(std::ranges::max_element(packing.load) - packing.load.begin());
  const std::size_t none = packing.seconds.size();
  double least = packing.load[last];
  std::size_t taken = none;
  std::size_t returned = none;
  std::size_t target = last;
  const auto consider = [&](std::size_t request, std::size_t back, std::size_t where) {
    const double change = packing.seconds[request] - (back == none ? 0 : packing.seconds[back]);
    if (change <= 0) return;
    const double later = std::max(packing.load[last] - change, packing.load[where] + change);
    if (later >= least) return;
    least = later;
    taken = request;
    returned = back;
    target = where;
  };
  for (std::size_t request = 0; request < none; ++request) {
    if (packing.channel[request] != last) continue;
    for (std::size_t where = 0; where < packing.load.size(); ++where) {
      if (where != last) consider(request, none, where);
    }
    for (std::size_t back = request + 1; back < none; ++back) {
      if (packing.channel[back] != last) consider(request, back, packing.channel[back]);
    }
  }
  if (taken == none) return false;
  packing.load[last] -= packing.seconds[taken];
  packing.put(taken, target);
  if (returned != none) {
    packing.load[target] -= packing.seconds[returned];
    packing.put(returned, last);
  }
  return true;
}

/// Divides the requests of the channel that ends last and of one other channel again, as evenly as possible; uses the
/// first other channel with which the later of both ends earlier. False if there is none.
class Redivision {
 public:
  bool operator()(Packing& packing) {
    members_.resize(packing.load.size());
    for (std::vector<std::size_t>& members : members_) members.clear();
    for (std::size_t r = 0; r < packing.seconds.size(); ++r) members_[packing.channel[r]].push_back(r);
    const auto last = static_cast<std::size_t>(std::ranges::max_element(packing.load) - packing.load.begin());
    for (std::size_t other = 0; other < packing.load.size(); ++other) {
      if (other != last && divide(packing, last, other)) return true;
    }
    return false;
  }

 private:
  bool divide(Packing& packing, std::size_t last, std::size_t other) {
    const std::vector<std::size_t>& first = members_[last];
    const std::vector<std::size_t>& second = members_[other];
    if (first.size() + second.size() > max_divided || first.size() + second.size() < 2) return false;
    together_.assign(first.begin(), first.end());
    together_.insert(together_.end(), second.begin(), second.end());
    const double whole = packing.load[last] + packing.load[other];
    double least = packing.load[last];
    std::size_t best = 0;
    // The first request stays, since both channels are alike.
    const std::size_t subsets = std::size_t{1} << (together_.size() - 1);
    sums_.assign(subsets, 0);
    for (std::size_t s = 1; s < subsets; ++s) {
      const auto lowest = static_cast<std::size_t>(std::countr_zero(s));
      sums_[s] = sums_[s & (s - 1)] + packing.seconds[together_[lowest + 1]];
      const double later = std::max(sums_[s], whole - sums_[s]);
      if (later >= least) continue;
      least = later;
      best = s;
    }
    if (best == 0) return false;
    packing.load[last] = packing.load[other] = 0;
    for (std::size_t k = 0; k < together_.size(); ++k) {
      packing.put(together_[k], k > 0 && (best >> (k - 1) & 1U) != 0 ? other : last);
    }
    return true;
  }

  std::vector<std::vector<std::size_t>> members_;
  std::vector<std::size_t> together_;
  std::vector<double> sums_;
};

void improve(double lower, Packing& packing) {
  Redivision redivide;
  for (int i = 0; i < max_exchanges && packing.makespan() > lower && (exchange(packing) || redivide(packing));) ++i;
}

/// Narrows the makespan between what bounds refute and what was found: a packing of bins as large as a makespan below,
/// or none (bin_packing.h). All times are whole multiples of a quantum.
class MakespanSearch {
 public:
  /// `best` has a makespan of `most`, and none is below `least`.
  MakespanSearch(Packing& best, double quantum, std::int64_t least)
      : best_(best), quantum_(quantum), lengths_(whole(best.seconds, quantum)), packer_(lengths_, best.load.size()) {
    least_ = least;
    most_ = in_quanta(best.makespan());
  }

  /// Returns the least makespan that is not refuted.
  std::int64_t run(std::size_t max_steps) {
    raise_bound();
    steps_left_ = max_steps;
    // Capacities from here on are undecided.
    std::int64_t open = most_;
    while (least_ < open && steps_left_ > 0) {
      const std::int64_t capacity = open == most_ ? most_ - 1 : least_ + (open - 1 - least_) / 2;
      std::size_t steps = std::min(steps_left_, max_steps / attempts);
      steps_left_ -= steps;
      const BinPacker::Outcome outcome = packer_.pack(capacity, steps);
      steps_left_ += steps;
      if (outcome == BinPacker::Outcome::fits) {
        take();
        open = most_;
      } else if (outcome == BinPacker::Outcome::does_not_fit) {
        least_ = capacity + 1;
      } else {
        open = capacity;
        if (open - least_ <= most_ >> finest) break;
      }
    }
    return least_;
  }

 private:
  /// Capacities that are tried until no steps are left, if none is decided; and bits of a makespan that are worth it.
  static constexpr std::size_t attempts = 8;
  static constexpr int finest = 20;
  /// The same for bounds alone.
  static constexpr int bound_bits = 12;

  static std::vector<std::int64_t> whole(std::span<const double> seconds, double quantum) {
    std::vector<std::int64_t> lengths;
    for (const double one : seconds) {
      if (one > 0) lengths.push_back(static_cast<std::int64_t>(std::nearbyint(one / quantum)));
    }
    return lengths;
  }
  std::int64_t in_quanta(double seconds) const { return static_cast<std::int64_t>(std::nearbyint(seconds / quantum_)); }

  void raise_bound() {
    std::int64_t open = most_;
    while (open - least_ > most_ >> bound_bits) {
      const std::int64_t capacity = least_ + (open - 1 - least_) / 2;
      if (packer_.is_refuted(capacity)) {
        least_ = capacity + 1;
      } else {
        open = capacity;
      }
    }
  }

  void take() {
    std::ranges::fill(best_.load, 0.0);
    // Requests that take no time are on any channel.
    for (std::size_t r = 0; r < best_.seconds.size(); ++r) best_.put(r, r < lengths_.size() ? packer_.bins_of()[r] : 0);
    most_ = in_quanta(best_.makespan());
  }

  Packing& best_;
  double quantum_;
  std::vector<std::int64_t> lengths_;
  BinPacker packer_;
  std::int64_t least_ = 0;
  std::int64_t most_ = 0;
  std::size_t steps_left_ = 0;
};

std::vector<std::size_t> longest_to_shortest(std::span<const double> seconds) {
  std::vector<std::size_t> order(seconds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t r) { return seconds[r]; });
  return order;
}

/// The bound of channel_lower_bound() for falling times.
double bound_of_falling(std::span<const double> seconds, std::size_t channels) {
  if (seconds.empty()) return 0;
  double bound = std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(channels);
  for (std::size_t k = 0; k * channels < seconds.size(); ++k) {
    // The k + 1 shortest of the k m + 1 longest.
    double sum = 0;
    for (std::size_t i = 0; i <= k; ++i) sum += seconds[k * channels - i];
    bound = std::max(bound, sum);
  }
  return bound;
}

void require_channels(std::span<const double> seconds, std::size_t channels) {
  if (channels == 0 && !seconds.empty()) throw PointError("requests need at least one memory channel");
}

}  // namespace

double channel_lower_bound(std::span<const double> seconds, std::size_t channels) {
  require_channels(seconds, channels);
  std::vector<double> falling(seconds.begin(), seconds.end());
  std::ranges::sort(falling, std::greater<>());
  return bound_of_falling(falling, channels);
}

ChannelAssignment assign_channels(std::span<const double> seconds, std::size_t channels, std::size_t max_steps) {
  require_channels(seconds, channels);
  ChannelAssignment assignment;
  if (seconds.empty()) return assignment;
  const std::vector<std::size_t> order = longest_to_shortest(seconds);
  const double quantum = quantum_of(std::accumulate(seconds.begin(), seconds.end(), 0.0));
  std::vector<double> falling;
  falling.reserve(seconds.size());
  for (const std::size_t r : order) falling.push_back(on_grid(seconds[r], quantum));
  // A makespan is a multiple of the quantum too.
  const double bound = bound_of_falling(falling, channels);
  double lower = quantum > 0 ? std::ceil(bound / quantum) * quantum : bound;

  Packing best = longest_first(falling, channels);
  improve(lower, best);
  Packing fitted = best;
  multifit(lower, fitted);
  improve(lower, fitted);
  if (fitted.makespan() < best.makespan()) best = fitted;
  if (best.makespan() > lower && seconds.size() <= max_searched) {
    MakespanSearch search(best, quantum, static_cast<std::int64_t>(lower / quantum));
    lower = static_cast<double>(search.run(max_steps)) * quantum;
  }

  assignment.seconds = best.makespan();
  assignment.lower_bound = lower;
  assignment.channel.resize(seconds.size());
  for (std::size_t i = 0; i < order.size(); ++i) assignment.channel[order[i]] = best.channel[i];
  return assignment;
}

}  // namespace pimsweep::systems::llm::schedule
