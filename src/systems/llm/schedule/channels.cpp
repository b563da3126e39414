#include "systems/llm/schedule/channels.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/error.h"
#include "systems/llm/schedule/quantum.h"

namespace pimsweep::systems::llm::schedule {

namespace {

/// Steps of MULTIFIT's bisection, and rounds of exchanges at most.
constexpr int bisections = 20;
constexpr int max_exchanges = 10'000;

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

void improve(double lower, Packing& packing) {
  for (int i = 0; i < max_exchanges && packing.makespan() > lower && exchange(packing);) ++i;
}

/// Depth first over requests from the longest to the shortest, channels from the least loaded.
class BranchAndBound {
 public:
  BranchAndBound(Packing& best, double lower, std::size_t max_nodes)
      : best_(best), lower_(lower), nodes_left_(max_nodes), current_(best.seconds, best.load.size()) {
    least_ = best.makespan();
  }

  /// Whether the best packing is optimal.
  bool run() {
    descend(0);
    return least_ <= lower_ || nodes_left_ > 0;
  }

 private:
  void descend(std::size_t request) {
    if (request == current_.seconds.size()) {
      least_ = current_.makespan();
      best_ = current_;
      return;
    }
    // A channel as loaded as one that was tried leads to nothing new.
    double tried = -1;
    for (;;) {
      std::size_t where = current_.load.size();
      for (std::size_t c = 0; c < current_.load.size(); ++c) {
        if (current_.load[c] > tried && (where == current_.load.size() || current_.load[c] < current_.load[where])) {
          where = c;
        }
      }
      if (where == current_.load.size()) return;
      tried = current_.load[where];
      if (tried + current_.seconds[request] >= least_ || least_ <= lower_ || nodes_left_ == 0) return;
      --nodes_left_;
      current_.put(request, where);
      descend(request + 1);
      current_.load[where] = tried;
    }
  }

  Packing& best_;
  double lower_;
  double least_ = 0;
  std::size_t nodes_left_;
  Packing current_;
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

ChannelAssignment assign_channels(std::span<const double> seconds, std::size_t channels, std::size_t max_nodes) {
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
  const double lower = quantum > 0 ? std::ceil(bound / quantum) * quantum : bound;

  Packing best = longest_first(falling, channels);
  improve(lower, best);
  Packing fitted = best;
  multifit(lower, fitted);
  improve(lower, fitted);
  if (fitted.makespan() < best.makespan()) best = fitted;
  const bool proven = best.makespan() <= lower || BranchAndBound(best, lower, max_nodes).run();

  assignment.seconds = best.makespan();
  assignment.lower_bound = proven ? assignment.seconds : lower;
  assignment.channel.resize(seconds.size());
  for (std::size_t i = 0; i < order.size(); ++i) assignment.channel[order[i]] = best.channel[i];
  return assignment;
}

}  // namespace pimsweep::systems::llm::schedule
