#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pimsweep::search {

/// Quality of a design.
struct Fitness {
  /// Numbers to minimize; meaningless for a design without a result.
  std::vector<double> objectives;
  /// 0 for a feasible design, otherwise the amount by which it violates constraints.
  double violation = 0;

  bool is_feasible() const { return violation == 0; }
};

/// Constraint domination (Deb, Pratap, Agarwal and Meyarivan, A fast and elitist multiobjective genetic algorithm:
/// NSGA-II, IEEE Trans. Evol. Comput. 6(2), 2002, Sec. VI): a feasible design dominates every infeasible one; of two
/// infeasible designs, the one with the smaller violation dominates; a feasible design dominates another one if no
/// objective is larger and at least one is smaller.
bool dominates(const Fitness& a, const Fitness& b);

/// The front of each design: 0 for nondominated designs, 1 for designs that only front 0 dominates, and so on.
std::vector<std::size_t> front_numbers(const std::vector<Fitness>& designs);

/// Crowding distance of the designs of one front (ibid., Sec. III-B): the sum over the objectives of the gap between a
/// design's neighbors, relative to the range of the front; infinite at both ends.
std::vector<double> crowding_distances(const std::vector<const Fitness*>& front);

}  // namespace pimsweep::search
