#pragma once

#include <array>
#include <boost/container/static_vector.hpp>
#include <cstdint>

#include "base/words.h"
#include "hardware/newton/counts.h"
#include "hardware/newton/dram.h"
#include "hardware/newton/layer.h"

namespace pimsweep::hardware::newton {

/// COMPs before each READRES of a G_ACT set. The number of entries never exceeds the larger of columns and channels.
using Units = boost::container::static_vector<std::int32_t, (max_columns > max_channels ? max_columns : max_channels)>;

/// Granularity at which work is distributed over channels (Sec. 4.3.1 of PIMFlow).
enum class Granularity : std::uint8_t { g_act, readres, comp };
inline constexpr std::array granularity_words{Word{"G_ACT", Granularity::g_act}, Word{"READRES", Granularity::readres},
                                              Word{"COMP", Granularity::comp}};

/// One segment of the first channel's commands: `gwrites` equal rounds of a GWRITE and `sets` G_ACT sets with `units`.
struct Segment {
  std::int64_t gwrites = 0;
  std::int64_t sets = 0;
  Units units;
  /// Number of groups of channels that work on different GWRITEs in the chosen grouping.
  std::int64_t groups = 1;
  Granularity granularity = Granularity::g_act;
  /// GWRITE, G_ACT, COMP and READRES of all channels together.
  Counts all_channels;

  /// GWRITE, G_ACT, COMP and READRES of the first channel.
  Counts first_channel(const Dram& dram) const;
};

/// Schedule of a layer: a channel runs its segments one after another.
using ArtifactSchedule = boost::container::static_vector<Segment, 2>;

/// True if the artifact can distribute work over this many channels: it divides by zero when a grouping that it tries
/// has more groups than there are channels.
bool artifact_groups_fit(std::int64_t channels, std::int64_t n_gwrite);

/// Commands that the PIMFlow artifact generates for a layer (its command generator and its channel scheduler, including
/// the COMPs that it loses). `n_gwrite` is the maximum number of groups that work on different GWRITEs. Requires pixels
/// in the layer, and artifact_groups_fit(channels, n_gwrite).
ArtifactSchedule artifact_schedule(const Layer& layer, const Dram& dram, std::int64_t channels, std::int64_t n_gwrite);

}  // namespace pimsweep::hardware::newton
