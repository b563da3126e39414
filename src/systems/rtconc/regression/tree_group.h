#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "systems/rtconc/regression/models.h"

namespace pimsweep::systems::rtconc::regression {

/// Number of targets whose trees grow side by side, each in a lane of vectors.
constexpr std::size_t lanes = 8;

/// Vectors that every processor has: the instructions do not depend on it, nor do the results.
using RealPair [[gnu::vector_size(16)]] = double;
using LaneCounts [[gnu::vector_size(16)]] = std::uint16_t;

/// A number in each lane.
struct LaneReals {
  RealPair pairs[lanes / 2] = {};

  double operator[](std::size_t lane) const { return pairs[lane / 2][lane % 2]; }
  void set(std::size_t lane, double value) { pairs[lane / 2][lane % 2] = value; }
};

/// Grows trees for several targets of the same samples, each tree for the residuals of those before. A node is divided
/// in all lanes at once: a sample that is not in a lane's node adds 0 to its sums, which changes no bit of them.
class TreeGroup {
 public:
  using Trees = std::array<RegressionTree, lanes>;

  /// At most as many targets as lanes; other lanes have residuals of 0.
  TreeGroup(const BinnedSamples& samples, std::span<const std::span<const double>> targets,
            std::span<const double> bases);
  const Trees& grow();

 private:
  /// The best division of a node in each lane found so far.
  struct Divisions {
    Divisions() { gain.fill(-1); }
    /// Negative: none.
    std::array<double, lanes> gain;
    std::array<std::size_t, lanes> feature{};
    std::array<std::size_t, lanes> below{};
    /// A little less than the gain: what exceeds the gain exceeds this in any order of operations.
    LaneReals floor{{RealPair{-1, -1}, RealPair{-1, -1}, RealPair{-1, -1}, RealPair{-1, -1}}};
  };

  /// Puts aside what a node has of the samples.
  void select(std::size_t node);
  void try_feature(std::size_t feature, Divisions& best) const;
  bool may_improve(const LaneReals& left, const LaneCounts& counts, const LaneReals& floor) const;
  void improve(const LaneReals& lefts, const LaneCounts& counts, std::size_t feature, std::size_t bin,
               Divisions& best) const;
  void set_division(std::size_t node, const Divisions& best);
  void descend();
  void set_values();

  const BinnedSamples& samples_;
  Trees trees_;
  std::vector<LaneReals> residual_;
  /// The node of each sample, as numbers to compare residuals by and as those to count by.
  std::vector<LaneReals> node_;
  std::vector<LaneCounts> counted_node_;
  /// The last bin that goes to the left child; -1 if a node cannot be divided and sends everything to one side.
  std::array<std::array<int, lanes>, RegressionTree::inner> below_{};
  /// Of the selected node: residuals and number (1 or 0) of each sample, and their sums.
  std::vector<LaneReals> selected_;
  std::vector<LaneCounts> inside_;
  LaneReals all_, count_;
};

}  // namespace pimsweep::systems::rtconc::regression
