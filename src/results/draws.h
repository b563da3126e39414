#pragma once

namespace pimsweep::results {

/// The column with the machine of each point.
inline constexpr auto draw_column = "draw";

/// Both ends of a band, as shares of the drawn machines.
inline constexpr double low_share = 0.05;
inline constexpr double high_share = 0.95;

}  // namespace pimsweep::results
