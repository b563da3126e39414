#include "hardware/noc/fair_sharing.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace pimsweep::hardware::noc {

namespace {

using Row = std::vector<double>;

bool covers(const Row& large, const Row& small) {
  return std::ranges::equal(large, small, [](double a, double b) { return a >= b; });
}

/// Rows that are not dominated by another row: a link with smaller loads in every level is never full before the other.
std::vector<Row> undominated(std::vector<Row> rows) {
  std::ranges::sort(rows, std::greater<>());
  std::vector<Row> kept;
  // A dominating row is lexicographically at least as large, so it has already been kept.
  for (Row& row : rows) {
    if (std::ranges::none_of(kept, [&](const Row& other) { return covers(other, row); })) {
      kept.push_back(std::move(row));
    }
  }
  return kept;
}

}  // namespace

FairSharing::FairSharing(const ExchangeNetwork& network) : levels_(network.levels()) {
  std::vector<Row> rows(network.bandwidth.size(), Row(levels_, 0.0));
  for (std::size_t level = 0; level < levels_; ++level) {
    pair_rate_.push_back(1 / network.flow_share(level + 1));
    for (const LinkLoad& load : network.exchanges[level]) {
      rows[load.link][level] = load.share * pair_rate_[level] / network.bandwidth[load.link];
    }
  }
  for (const Row& row : undominated(std::move(rows))) loads_.insert(loads_.end(), row.begin(), row.end());
  used_.resize(levels_ == 0 ? 0 : loads_.size() / levels_);
}

void FairSharing::rates(std::span<const std::uint32_t> running, std::span<double> rates) {
  std::ranges::fill(rates, 0.0);
  std::ranges::fill(used_, 0.0);
  const auto rising = [&](std::size_t level) { return running[level] > 0 && rates[level] == 0; };
  // Sending rate at which a link is full: its remaining bandwidth, shared by the flows that still rise.
  const auto full_at = [&](std::size_t link) {
    double rise = 0;
    for (std::size_t level = 0; level < levels_; ++level) {
      if (rising(level)) rise += running[level] * loads_[link * levels_ + level];
    }
    return rise > 0 ? (1 - used_[link]) / rise : std::numeric_limits<double>::infinity();
  };
  double sending = 0;
  while (true) {
    double earliest = std::numeric_limits<double>::infinity();
    std::size_t full = 0;
    for (std::size_t link = 0; link < used_.size(); ++link) {
      const double at = full_at(link);
      if (at < earliest) {
        earliest = at;
        full = link;
      }
    }
    if (earliest == std::numeric_limits<double>::infinity()) break;
    // Rates never fall: where two links fill at the same time, rounding may make the second rate slightly lower.
    sending = std::max(sending, earliest);
    for (std::size_t level = 0; level < levels_; ++level) {
      if (!rising(level) || loads_[full * levels_ + level] == 0) continue;
      rates[level] = sending;
      for (std::size_t link = 0; link < used_.size(); ++link) {
        used_[link] += running[level] * loads_[link * levels_ + level] * sending;
      }
    }
  }
  for (std::size_t level = 0; level < levels_; ++level) rates[level] *= pair_rate_[level];
}

}  // namespace pimsweep::hardware::noc
