#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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
  /// `first` and `second` are the blocks; not empty. Keeps its memory from call to call.
  void fill(const Conflicts& conflicts, std::span<const Interval> first, std::span<const Interval> second);

  /// Seconds that are left at least, with `first_left` and `second_left` seconds of repetitions to do, from the corner
  /// where the blocks are about to start intervals `i` and `j`.
  double remaining(std::size_t i, double first_left, std::size_t j, double second_left) const {
    return price_[0] * first_left + price_[1] * second_left + rest_[i * columns_ + j];
  }

 private:
  /// From a corner along the diagonal to the first rectangle, and around it.
  struct Arc {
    double seconds = 0;
    std::array<double, 2> progress{};
    std::uint32_t to = 0;
  };
  /// price[0] progress[0] + price[1] progress[1] <= seconds.
  struct Cut {
    double seconds = 0;
    std::array<double, 2> progress{};
  };

  bool add_arcs(const Conflicts& conflicts, std::size_t i, std::size_t j);
  double end(std::size_t v) const;
  bool settle();
  bool add_violated_cycle();
  void set_prices();
  double worth(const Arc& arc) const { return price_[0] * arc.progress[0] + price_[1] * arc.progress[1]; }

  std::span<const Interval> first_;
  std::span<const Interval> second_;
  std::size_t columns_ = 0;
  std::array<double, 2> length_{};
  std::array<double, 2> price_{};
  /// Seconds from the start of an interval to the end of its block; 0 for the first.
  std::array<std::vector<double>, 2> to_end_;
  /// By corner: two arcs, the seconds without a conflict, the constant, and the arc that gives it.
  std::vector<Arc> arcs_;
  std::vector<double> free_;
  std::vector<double> rest_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> visit_;
  std::vector<Cut> cuts_;
};

}  // namespace pimsweep::systems::llm::schedule
