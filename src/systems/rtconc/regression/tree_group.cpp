#include "systems/rtconc/regression/tree_group.h"

#include <algorithm>
#include <limits>

namespace pimsweep::systems::rtconc::regression {

namespace {

constexpr double learning_rate = 0.1;
/// Bound on the rounding error of a gain.
constexpr double gain_rounding = 1e-12;

}  // namespace

TreeGroup::TreeGroup(const BinnedSamples& samples, std::span<const std::span<const double>> targets,
                     std::span<const double> bases)
    : samples_(samples),
      residual_(samples.size),
      node_(samples.size),
      counted_node_(samples.size),
      selected_(samples.size),
      inside_(samples.size) {
  for (std::size_t lane = 0; lane < targets.size(); ++lane) {
    for (std::size_t i = 0; i < samples.size; ++i) residual_[i].set(lane, targets[lane][i] - bases[lane]);
  }
}

const TreeGroup::Trees& TreeGroup::grow() {
  std::ranges::fill(node_, LaneReals{});
  std::ranges::fill(counted_node_, LaneCounts{});
  std::size_t node = 0;
  for (std::size_t depth = 0; depth < RegressionTree::depth; ++depth) {
    for (const std::size_t next = 2 * node + 1; node < next; ++node) {
      select(node);
      Divisions best;
      for (std::size_t f = 0; f < samples_.features; ++f) try_feature(f, best);
      set_division(node, best);
    }
    descend();
  }
  set_values();
  return trees_;
}

void TreeGroup::select(std::size_t node) {
  const auto real = static_cast<double>(node);
  const auto whole = static_cast<std::uint16_t>(node);
  LaneReals all;
  LaneCounts count{};
  for (std::size_t i = 0; i < samples_.size; ++i) {
    for (std::size_t p = 0; p < lanes / 2; ++p) {
      const RealPair own = node_[i].pairs[p] == real ? residual_[i].pairs[p] : RealPair{};
      selected_[i].pairs[p] = own;
      all.pairs[p] += own;
    }
    inside_[i] = counted_node_[i] == whole ? LaneCounts{} + 1 : LaneCounts{};
    count += inside_[i];
  }
  all_ = all;
  for (std::size_t lane = 0; lane < lanes; ++lane) count_.set(lane, static_cast<double>(count[lane]));
}

/// True if a lane may have a better division here: compares gains multiplied by both counts, which takes no division.
inline bool TreeGroup::may_improve(const LaneReals& left, const LaneCounts& counts, const LaneReals& floor) const {
  RealPair above{};
  for (std::size_t p = 0; p < lanes / 2; ++p) {
    const RealPair in_left{static_cast<double>(int{counts[2 * p]}), static_cast<double>(int{counts[2 * p + 1]})};
    const RealPair in_right = count_.pairs[p] - in_left;
    const RealPair right = all_.pairs[p] - left.pairs[p];
    const RealPair gain = left.pairs[p] * left.pairs[p] * in_right + right * right * in_left;
    const RealPair excess = gain - floor.pairs[p] * (in_left * in_right);
    above += excess > 0.0 ? excess : RealPair{};
  }
  return above[0] + above[1] > 0;
}

void TreeGroup::try_feature(std::size_t feature, Divisions& best) const {
  LaneReals left;
  LaneCounts in_left{};
  const std::size_t edges = samples_.edges[feature].size();
  for (std::size_t b = 0; b < edges; ++b) {
    LaneReals sum;
    for (const std::uint16_t i : samples_.samples_in(feature, b)) {
      for (std::size_t p = 0; p < lanes / 2; ++p) sum.pairs[p] += selected_[i].pairs[p];
      in_left += inside_[i];
    }
    for (std::size_t p = 0; p < lanes / 2; ++p) left.pairs[p] += sum.pairs[p];
    if (may_improve(left, in_left, best.floor)) improve(left, in_left, feature, b, best);
  }
}

/// Takes the division after a bin in lanes where it is better than the node's best so far.
void TreeGroup::improve(const LaneReals& lefts, const LaneCounts& counts, std::size_t feature, std::size_t bin,
                        Divisions& best) const {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::size_t in_left = counts[lane];
    const std::size_t in_right = static_cast<std::size_t>(count_[lane]) - in_left;
    if (in_left == 0 || in_right == 0) continue;
    const double left = lefts[lane];
    const double right = all_[lane] - left;
    const double gain = left * left * samples_.inverse[in_left] + right * right * samples_.inverse[in_right];
    if (!(gain > best.gain[lane])) continue;
    best.gain[lane] = gain;
    best.feature[lane] = feature;
    best.below[lane] = bin;
    best.floor.set(lane, gain * (1 - gain_rounding));
  }
}

void TreeGroup::set_division(std::size_t node, const Divisions& best) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const bool divided = best.gain[lane] >= 0;
    const std::size_t feature = best.feature[lane];
    trees_[lane].feature[node] = feature;
    trees_[lane].threshold[node] =
        divided ? samples_.edges[feature][best.below[lane]] : -std::numeric_limits<double>::infinity();
    below_[node][lane] = divided ? static_cast<int>(best.below[lane]) : -1;
  }
}

void TreeGroup::descend() {
  for (std::size_t i = 0; i < samples_.size; ++i) {
    const unsigned char* const bins = &samples_.bin[i * samples_.features];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t node = counted_node_[i][lane];
      const bool goes_right = bins[trees_[lane].feature[node]] > below_[node][lane];
      const std::size_t child = 2 * node + (goes_right ? 2 : 1);
      counted_node_[i][lane] = static_cast<std::uint16_t>(child);
      node_[i].set(lane, static_cast<double>(child));
    }
  }
}

/// Leaves have the mean of their samples' residuals, times the rate, which the next tree no longer sees.
void TreeGroup::set_values() {
  std::array<std::array<std::size_t, lanes>, RegressionTree::leaves> counts{};
  for (RegressionTree& tree : trees_) tree.value = {};
  const auto leaf = [this](std::size_t i, std::size_t lane) { return counted_node_[i][lane] - RegressionTree::inner; };
  for (std::size_t i = 0; i < samples_.size; ++i) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      trees_[lane].value[leaf(i, lane)] += residual_[i][lane];
      ++counts[leaf(i, lane)][lane];
    }
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (std::size_t of = 0; of < RegressionTree::leaves; ++of) {
      if (counts[of][lane] > 0) trees_[lane].value[of] *= learning_rate / static_cast<double>(counts[of][lane]);
    }
  }
  for (std::size_t i = 0; i < samples_.size; ++i) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      residual_[i].set(lane, residual_[i][lane] - trees_[lane].value[leaf(i, lane)]);
    }
  }
}

}  // namespace pimsweep::systems::rtconc::regression
