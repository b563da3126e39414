#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pimsweep::systems::hypar::search {

/// The parallelism of one layer at all levels of the hierarchy: bit h - 1 is set where level h (1: the whole array) is
/// in model parallelism (mp) and clear where it is in data parallelism (dp).
using State = std::uint32_t;

/// Enough for 2^8 = 256 accelerators.
inline constexpr int max_levels = 8;

inline bool model_parallel(State state, int level) { return (state >> (level - 1) & 1U) != 0; }
/// Number of levels above `level` in model (data) parallelism: the number of times that channels (the batch) have been
/// halved there.
inline int model_levels_above(State state, int level) { return std::popcount(state & ((1U << (level - 1)) - 1)); }
inline int data_levels_above(State state, int level) { return level - 1 - model_levels_above(state, level); }

inline std::size_t state_count(int levels) { return std::size_t{1} << levels; }
inline State all_model(int levels) { return static_cast<State>(state_count(levels) - 1); }

inline std::string_view parallelism_name(bool model) { return model ? "mp" : "dp"; }

/// One state for each node of a training network.
using Assignment = std::vector<State>;

/// "0011": level H1 first, 0 for dp and 1 for mp, as in the paper's Figures 9 and 10.
inline std::string state_text(State state, int levels) {
  std::string text;
  for (int level = 1; level <= levels; ++level) text += model_parallel(state, level) ? '1' : '0';
  return text;
}

}  // namespace pimsweep::systems::hypar::search
