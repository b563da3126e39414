#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "systems/llm/schedule/resources.h"

namespace pimsweep::systems::llm::schedule {

/// A lower bound of the rest of two jobs that repeat a block each, as sharp for long jobs as a bound of all repetitions
/// can be. Paths around rectangles (two_jobs.h) that repeat are paths on a torus, from corner to corner. With prices
/// a and b of a second of progress of either job, such that no cycle of the torus costs less than its progress is
/// worth, a path takes at least a times the progress of the first job and b times that of the second, but for a
/// constant that depends on the corner where it begins: the shortest path to any end by costs less the worth of the
/// progress. The prices are those that make two blocks worth most: a linear program, whose rows, the cycles, are found
/// when violated.
class PeriodicBound {
 public:
  /// `first` and `second` are the blocks; not empty. If two blocks can be worth `enough` with prices in the proportion
  /// of the last call, these will do. Keeps its memory from call to call.
  void fill(const Conflicts& conflicts, std::span<const Interval> first, std::span<const Interval> second,
            double enough);

  /// Fills it and says whether both jobs take at least `target` seconds for `blocks` blocks each.
  bool fill_to(const Conflicts& conflicts, std::span<const Interval> first, std::span<const Interval> second,
               std::size_t blocks, double target);

  /// Seconds that are left at least, with `first_left` and `second_left` seconds of repetitions to do, from the corner
  /// where the blocks are about to start intervals `i` and `j`. Nothing is said of corners that no path from the begin
  /// of both blocks reaches.
  double remaining(std::size_t i, double first_left, std::size_t j, double second_left) const {
    double bound = 0;
    if (tilts_ == 0) return bound;
    const std::uint32_t corner = corner_at_[i * columns_ + j];
    if (corner == no_corner) return bound;
    for (std::size_t t = 0; t < tilts_; ++t) {
      bound = std::max(bound,
                       bounds_[t].price[0] * first_left + bounds_[t].price[1] * second_left + bounds_[t].rest[corner]);
    }
    return bound;
  }

  /// Makes it sharper where one job is ahead of the other. Mostly many prices are worth the same while both are even:
  /// so also those that value the progress of either job most.
  void add_tilted();

 private:
  /// From a corner along the diagonal to the first rectangle, and around it.
  struct Arc {
    double seconds = 0;
    std::array<double, 2> progress{};
    /// Seconds less the worth of the progress.
    double excess = 0;
    std::uint32_t to = 0;
  };
  /// Prices, and the constant by corner.
  struct Bound {
    std::array<double, 2> price{};
    std::vector<double> rest;
  };
  /// price[0] progress[0] + price[1] progress[1] <= seconds.
  struct Cut {
    double seconds = 0;
    std::array<double, 2> progress{};
  };

  static constexpr std::uint32_t no_corner = std::numeric_limits<std::uint32_t>::max();

  bool find_corners(const Conflicts& conflicts);
  std::uint32_t corner_of(std::size_t i, std::size_t j);
  bool add_arcs(const Conflicts& conflicts, std::size_t v);
  bool solve(double tilt, Bound& bound);
  bool is_worth(double enough, double share);
  double end(const Bound& bound, std::size_t v) const;
  bool settle(Bound& bound);
  bool add_violated_cycle();
  void set_prices(double tilt, Bound& bound) const;

  std::span<const Interval> first_;
  std::span<const Interval> second_;
  std::size_t columns_ = 0;
  /// Corners by place, i * columns_ + j, and places of corners.
  std::vector<std::uint32_t> corner_at_;
  std::vector<std::uint32_t> places_;
  std::array<double, 2> length_{};
  /// Seconds from the start of an interval to the end of its block; 0 for the first.
  std::array<std::vector<double>, 2> to_end_;
  /// Bound for even jobs first, then tilted ones.
  std::array<Bound, 3> bounds_;
  std::size_t tilts_ = 0;
  /// By corner: two arcs, the seconds without a conflict, and the arc that gives the constant.
  std::vector<Arc> arcs_;
  std::vector<double> free_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> visit_;
  std::vector<Cut> cuts_;
};

}  // namespace pimsweep::systems::llm::schedule
