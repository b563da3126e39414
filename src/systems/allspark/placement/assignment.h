#pragma once

#include <cstdint>
#include <vector>

namespace pimsweep::systems::allspark::placement {

/// The cheapest one-to-one assignment of n rows to n columns: the column of each row. `cost` is n x n, row by row.
/// Hungarian method with potentials and shortest augmenting paths (Kuhn 1955; Jonker and Volgenant 1987), O(n^3). The
/// linear program of an assignment is integral, so this is the integer program's optimum too.
std::vector<std::size_t> cheapest_assignment(std::size_t n, const std::vector<std::int64_t>& cost);

}  // namespace pimsweep::systems::allspark::placement
