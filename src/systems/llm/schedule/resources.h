#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace pimsweep::systems::llm::schedule {

/// Time of an impossible operation.
inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// Where the data between two operators are.
enum class Side : std::uint8_t { gpu, pim };
inline constexpr std::array<Side, 2> all_sides{Side::gpu, Side::pim};
constexpr Side other(Side side) { return side == Side::gpu ? Side::pim : Side::gpu; }

enum class Resource : std::uint8_t { gpu, pim, link };
inline constexpr std::array<Resource, 3> all_resources{Resource::gpu, Resource::pim, Resource::link};

/// A set of resources, one bit each.
using Resources = std::uint8_t;
constexpr Resources only(Resource resource) { return static_cast<Resources>(1U << static_cast<unsigned>(resource)); }
inline constexpr Resources gpu_only = only(Resource::gpu);
inline constexpr Resources pim_only = only(Resource::pim);
inline constexpr Resources link_only = only(Resource::link);
/// Resources of an operator that is split between both sides.
inline constexpr Resources both_sides = gpu_only | pim_only;
/// Heads in a pipeline through both sides and the link.
inline constexpr Resources everything = gpu_only | pim_only | link_only;
inline constexpr std::size_t resource_sets = everything + 1;

/// Which resources exclude one another: two sub-batches cannot use them at the same time.
class Conflicts {
 public:
  /// Each resource serves one sub-batch at a time and does not exclude others, as with a PIM that has separate row
  /// buffers.
  Conflicts();

  /// A single row buffer: set(gpu, pim, true). A link for each sub-batch: set(link, link, false).
  void set(Resource a, Resource b, bool exclude);
  /// True if any resource of `a` excludes any of `b`.
  bool between(Resources a, Resources b) const { return table_[a][b]; }
  /// The maximal sets of resources of which each excludes itself and all others: two intervals that use any of them
  /// cannot overlap.
  std::vector<Resources> cliques() const;

 private:
  std::array<std::array<bool, resource_sets>, resource_sets> table_{};
};

/// Resources that a sub-batch occupies without interruption, and for how long.
struct Interval {
  Resources uses = 0;
  double seconds = 0;
};

/// The intervals of one sub-batch, one after the other; it may wait between two of them.
using Job = std::vector<Interval>;

}  // namespace pimsweep::systems::llm::schedule
