#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "systems/allspark/placement/placement_problem.h"

namespace pimsweep::systems::allspark::placement {

/// Method that assigns branches to slots: each branch to a different slot, and to each layer its number of branches.
struct PlacementMethod {
  std::string_view name;
  std::string_view doc;
  /// Only methods with random choices use the seed.
  Binding (*bind)(const PlacementProblem& problem, std::uint64_t seed);
  /// Measured for 718 branches (docs/allspark-placement.md); only the order in which points begin depends on it.
  double expected_seconds = 0;
};

/// All methods, in the order of their array in placement_method.cpp.
std::span<const PlacementMethod> placement_methods();

/// Greedy binding (Sec. VII-B2): the first branch takes the first slot; then, repeatedly, the branch with the most
/// dependences on placed branches takes the free slot with the fewest word-hops to them. Ties go to the first.
Binding bind_greedily(const PlacementProblem& problem, std::uint64_t seed);

/// Branches in their order, sub-arrays row by row, every other row from right to left, layer after layer.
Binding bind_zig_zag(const PlacementProblem& problem, std::uint64_t seed);

/// Any branch in any slot, all with the same probability.
Binding bind_randomly(const PlacementProblem& problem, std::uint64_t seed);

/// Simulated annealing of the word-hops from a random placement: swaps of two branches and moves to a free slot of the
/// same layer, at temperatures that fall geometrically from the mean change of a move (Kirkpatrick, Gelatt and Vecchi,
/// Science 1983).
Binding bind_by_annealing(const PlacementProblem& problem, std::uint64_t seed);

/// Integer programs for minimum word-hops. Small problems are solved as a whole, proven by CBC. Larger ones begin
/// with zig-zag; then one set of branches without mutual dependences after another is reassigned optimally to its own
/// and free slots while all other branches stay, until no set improves.
Binding bind_by_programs(const PlacementProblem& problem, std::uint64_t seed);

}  // namespace pimsweep::systems::allspark::placement
