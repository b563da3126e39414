#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "systems/rtconc/regression/regressor.h"

namespace pimsweep::systems::rtconc::regression {

/// A full binary tree: inner node i has the children 2 i + 1, for features below the threshold, and 2 i + 2.
struct RegressionTree {
  static constexpr std::size_t depth = 3;
  static constexpr std::size_t leaves = std::size_t{1} << depth;
  /// Number of inner nodes, and of the first leaf.
  static constexpr std::size_t inner = leaves - 1;

  std::array<std::size_t, inner> feature{};
  std::array<double, inner> threshold{};
  std::array<double, leaves> value{};

  double operator()(std::span<const double> features) const;
};

/// The features of samples as bins between quantiles, from which trees are grown.
struct BinnedSamples {
  /// Number of quantiles of each feature between which thresholds are tried.
  static constexpr std::size_t bins = 32;

  /// At most 65,535 samples.
  explicit BinnedSamples(const Samples& samples);
  /// The samples in a bin, in their order.
  std::span<const std::uint16_t> samples_in(std::size_t feature, std::size_t which) const {
    const std::uint32_t* const from = &begin[feature * (bins + 1) + which];
    return {&by_bin[feature * size] + from[0], from[1] - from[0]};
  }

  std::size_t size;
  std::size_t features;
  /// Inner edges of the bins of each feature, ascending.
  std::vector<std::vector<double>> edges;
  /// Bin of each value, sample by sample.
  std::vector<unsigned char> bin;
  /// 1 / count, as the search for the best division would wait for the quotients.
  std::vector<double> inverse;
  /// The samples bin by bin, for one feature after another, and the begin of each of its bins.
  std::vector<std::uint16_t> by_bin;
  std::vector<std::uint32_t> begin;
};

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

/// Grows regression trees for several targets of the same samples, each tree for the residuals of the previous ones. A
/// node is divided in all lanes at once: a sample that is not in a lane's node adds 0 to its sums, which changes no bit
/// of them.
///
///     TreeGroup group(samples, targets, bases);
///     for (int t = 0; t < trees; ++t) {
///       const TreeGroup::Trees& grown = group.grow();
///       prediction += grown[target](features);
///     }
///
/// Results equal those of growing each target's trees alone, bit by bit, in a fraction of the time.
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
    /// A little below the gain: any larger gain exceeds it in any order of operations.
    LaneReals floor{{RealPair{-1, -1}, RealPair{-1, -1}, RealPair{-1, -1}, RealPair{-1, -1}}};
  };

  /// Copies the residuals of the samples in a node.
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
  /// The node of each sample, as real numbers for residuals and as integers for counts.
  std::vector<LaneReals> node_;
  std::vector<LaneCounts> counted_node_;
  /// The last bin that goes to the left child; -1 if a node cannot be divided and sends everything to one side.
  std::array<std::array<int, lanes>, RegressionTree::inner> below_{};
  /// Residuals and counts (1 or 0) of the samples in the selected node, and their sums.
  std::vector<LaneReals> selected_;
  std::vector<LaneCounts> inside_;
  LaneReals all_, count_;
};

}  // namespace pimsweep::systems::rtconc::regression
