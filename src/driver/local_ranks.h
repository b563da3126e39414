#pragma once

#include <cstdint>

namespace pimsweep::driver {

/// Number of ranks of a run without an MPI launcher if nobody says another one: that of the environment variable
/// PIMSWEEP_RANKS, or as many as it takes for all available cores to evaluate points. Throws InputError for a variable
/// that is not a number.
int default_local_ranks();

/// Number of ranks that a run without an MPI launcher may have: `asked` if that is not 0, else default_local_ranks().
/// Throws InputError for more than 32 ranks for each available core, which would take minutes to start.
int allowed_local_ranks(int asked);

/// The same for a run that has `points` points to evaluate: no more ranks than have one.
int local_ranks(int asked, std::uint64_t points);

/// Cores of this host that the points of this launch may use: all that are available, but without an MPI launcher no
/// more than the ranks that were asked for (0: default_local_ranks()) would use.
int cores_for_points(int asked);

}  // namespace pimsweep::driver
