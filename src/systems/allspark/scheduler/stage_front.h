#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <vector>

#include "systems/allspark/scheduler/schedule_problem.h"

namespace pimsweep::systems::allspark::scheduler {

/// More than the cycles or bytes of any problem that validate() accepts; the sum of two does not overflow.
inline constexpr std::int64_t infinite = std::numeric_limits<std::int64_t>::max() / 2;

/// Cycles of a set of layers, and a tie-breaker: the number of layers in the upper 32 bits, the sum of their scheme
/// indices in the lower ones. Both add up over layers.
struct Cost {
  std::int64_t cycles = 0;
  std::int64_t tie = 0;
  friend auto operator<=>(const Cost&, const Cost&) = default;
  friend Cost operator+(const Cost& a, const Cost& b) { return {a.cycles + b.cycles, a.tie + b.tie}; }
};

/// One way to cover a stage.
struct FrontPoint {
  std::int64_t weight = 0;
  std::int64_t workspace = 0;
  Cost cost;
  /// Origin of the layers in the front: a label, or shared_weights.
  std::int32_t origin = 0;
};

/// Origin of the points that use the 1 x 1 scheme, whose weights serve every other scheme (weight reuse, case 1).
inline constexpr std::int32_t shared_weights = -1;

/// True if (weight a, cost a) dominates (weight b, cost b) under the same workspace bound: neither slower nor larger
/// and, if equally fast and large, not behind in the tie-breaker.
inline bool dominates(std::int64_t weight_a, const Cost& a, std::int64_t weight_b, const Cost& b) {
  if (weight_a > weight_b || a.cycles > b.cycles) return false;
  return weight_a < weight_b || a.cycles < b.cycles || a.tie <= b.tie;
}

/// Inserts a point into a front with rising weights and falling cycles, unless it is dominated; removes what it
/// dominates. Returns whether it was inserted.
bool insert_point(std::vector<FrontPoint>& front, const FrontPoint& point);

/// Limits of one stage, given the minimum of the other stages.
struct StageLimits {
  /// Bytes of its weights and its workspace together.
  std::int64_t memory = infinite;
  std::int64_t cycles = infinite;
  /// Lower bound of the workspace of the whole schedule: smaller workspaces of a stage are equivalent.
  std::int64_t workspace = 0;
};

/// All Pareto-optimal covers of one stage, for every workspace bound at once.
///
///     StageFront front(stage);
///     front.build({.memory = 8 << 20, .cycles = 100000});
///     front.front_within(workspace, points);
///     const std::vector<std::int64_t> layers = front.layers(points.front());
class StageFront {
 public:
  /// Drops the schemes that are never needed and computes the bounds, not yet the front.
  explicit StageFront(const StageProblem& stage);

  std::int64_t branches() const { return branches_; }
  /// Distinct workspaces of the schemes that may be needed, rising.
  const std::vector<std::int64_t>& workspaces() const { return workspaces_; }
  /// Minimum cycles and, separately, minimum weights with schemes of at most this workspace; infinite if there are
  /// none.
  std::int64_t min_cycles(std::int64_t workspace) const { return at_workspace(min_cycles_, workspace); }
  std::int64_t min_weight(std::int64_t workspace) const { return at_workspace(min_weight_, workspace); }

  /// Computes some good points, those with at most two schemes: enough for an upper bound, not for layers().
  void sketch();

  /// Computes the front; points beyond the limits may be left out.
  void build(const StageLimits& limits);

  /// Minimum over the points computed so far; infinite if there is none.
  std::int64_t fastest_point() const;
  std::int64_t lightest_point() const;

  /// The front under a workspace bound, by rising weights and falling cycles, into `front`.
  void front_within(std::int64_t workspace, std::vector<FrontPoint>& front) const;

  /// The layers of each scheme of the stage in a point that build() computed.
  std::vector<std::int64_t> layers(const FrontPoint& point) const;

 private:
  struct Candidate {
    Scheme scheme;
    std::int32_t index = 0;
    Cost cost() const { return {scheme.cycles, (std::int64_t{1} << 32) + index}; }
  };
  /// A partial cover; `parent` is the cover without the last layer, `next` the next label with as many open branches.
  struct Label {
    std::int64_t weight = 0;
    Cost cost;
    std::int32_t next = -1;
    std::int32_t parent = -1;
    std::int32_t candidate = -1;
  };
  class Search;

  std::int64_t at_workspace(const std::vector<std::int64_t>& values, std::int64_t workspace) const;
  void add_layer(std::vector<Cost>& cover, const Candidate& candidate) const;
  void count_shared(std::int64_t workspace, std::vector<std::int64_t>& layers) const;
  void search(const StageLimits& limits);

  std::int64_t branches_ = 0;
  std::size_t schemes_ = 0;
  /// By rising workspace.
  std::vector<Candidate> candidates_;
  std::vector<std::int64_t> workspaces_;
  /// For each entry of workspaces_.
  std::vector<std::int64_t> min_cycles_;
  std::vector<std::int64_t> min_weight_;
  /// The points with the 1 x 1 scheme, by rising workspace.
  std::vector<FrontPoint> shared_;
  std::vector<FrontPoint> points_;
  std::vector<Label> labels_;
};

}  // namespace pimsweep::systems::allspark::scheduler
