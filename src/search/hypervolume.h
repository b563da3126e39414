#pragma once

#include <vector>

namespace pimsweep::search {

/// Maximum number of objectives of a hypervolume.
inline constexpr std::size_t max_hypervolume_objectives = 3;

/// Hypervolume (Zitzler and Thiele, IEEE Trans. Evol. Comput. 3(4), 1999): the volume dominated by designs up to a
/// reference point, with all objectives minimized. Exact, for one to max_hypervolume_objectives objectives, in
/// O(n log n). Designs that are not better than the reference in every objective are ignored.
double hypervolume(std::vector<std::vector<double>> designs, const std::vector<double>& reference);

}  // namespace pimsweep::search
