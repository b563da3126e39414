#include "hardware/gpu/network/queue.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/downward.h"

namespace pimsweep::hardware::gpu::network {

namespace {

/// Launches and work of a queue.
struct Length {
  double launches = 0;
  double work = 0;

  void add(const KernelCost& kernel) {
    launches += kernel.launches;
    work += kernel.work_seconds;
  }
  double seconds(double launch) const { return std::max(launches * launch, work); }
};

/// The least total work for each number of launches beyond the minimum, built up piece by piece.
class QueueSearch {
 public:
  QueueSearch(const std::vector<Alternatives>& pieces, std::size_t max_extra)
      : pieces_(pieces), work_(max_extra + 1, std::numeric_limits<double>::infinity()) {
    work_.front() = 0;
    for (const Alternatives& piece : pieces) add(piece);
  }

  /// Least work with exactly this many launches beyond the minimum; infinite if no choice has so many.
  double work(std::size_t extra) const { return work_[extra]; }

  std::vector<std::size_t> chosen(std::size_t extra) const {
    std::vector<std::size_t> all(pieces_.size());
    for (const std::size_t i : downward(pieces_.size())) {
      all[i] = taken_[i][extra];
      extra -= extra_launches(pieces_[i], all[i]);
    }
    return all;
  }

 private:
  static std::size_t extra_launches(const Alternatives& piece, std::size_t index) {
    return static_cast<std::size_t>(piece[index].launches - piece.back().launches);
  }

  void add(const Alternatives& piece) {
    std::vector<std::uint8_t>& taken = taken_.emplace_back(work_.size(), static_cast<std::uint8_t>(piece.size() - 1));
    // From many launches to few, so that sums of the pieces before are still available.
    for (const std::size_t extra : downward(work_.size())) {
      double min_work = std::numeric_limits<double>::infinity();
      for (const std::size_t index : downward(piece.size())) {
        const std::size_t more = extra_launches(piece, index);
        if (more > extra || work_[extra - more] + piece[index].work_seconds >= min_work) continue;
        min_work = work_[extra - more] + piece[index].work_seconds;
        taken[extra] = static_cast<std::uint8_t>(index);
      }
      work_[extra] = min_work;
    }
  }

  const std::vector<Alternatives>& pieces_;
  std::vector<double> work_;
  /// By piece and launches: index of the chosen kernel.
  std::vector<std::vector<std::uint8_t>> taken_;
};

}  // namespace

std::vector<std::size_t> shortest_queue(const std::vector<Alternatives>& pieces, double launch) {
  Length min_work;
  Length min_launches;
  std::vector<std::size_t> last;
  last.reserve(pieces.size());
  for (const Alternatives& piece : pieces) {
    min_work.add(piece.front());
    min_launches.add(piece.back());
    last.push_back(piece.size() - 1);
  }
  if (min_work.launches * launch <= min_work.work) return std::vector<std::size_t>(pieces.size(), 0);
  if (min_launches.work <= min_launches.launches * launch) return last;

  // Launches that take longer than a known queue cannot be part of a shorter one.
  const double bound = std::min(min_work.seconds(launch), min_launches.seconds(launch)) / launch;
  const double max_extra = std::min(min_work.launches, std::ceil(bound)) - min_launches.launches;
  const QueueSearch search(pieces, static_cast<std::size_t>(max_extra));
  std::size_t best = 0;
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t extra = 0; extra <= static_cast<std::size_t>(max_extra); ++extra) {
    const double launching = (min_launches.launches + static_cast<double>(extra)) * launch;
    const double seconds = std::max(launching, search.work(extra));
    if (seconds >= shortest) continue;
    shortest = seconds;
    best = extra;
  }
  return search.chosen(best);
}

}  // namespace pimsweep::hardware::gpu::network
