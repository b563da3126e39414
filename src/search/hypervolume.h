#pragma once

#include <vector>

namespace pimsweep::search {

/// The most objectives whose hypervolume is computed.
inline constexpr std::size_t max_hypervolume_objectives = 3;

/// Hypervolume (Zitzler and Thiele, IEEE Trans. Evol. Comput. 3(4), 1999): the volume that designs dominate between
/// themselves and a reference, all numbers to be minimized. Exact, for one to max_hypervolume_objectives objectives;
/// takes n log n. A design that is not better than the reference in every objective adds nothing.
double hypervolume(std::vector<std::vector<double>> designs, const std::vector<double>& reference);

}  // namespace pimsweep::search
