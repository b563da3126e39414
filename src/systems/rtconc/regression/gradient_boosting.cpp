#include <algorithm>
#include <limits>
#include <numeric>

#include "systems/rtconc/regression/models.h"

namespace pimsweep::systems::rtconc::regression {

namespace {

constexpr int trees = 100;
constexpr double rate = 0.1;
/// Number of quantiles of each feature between which thresholds are tried.
constexpr std::size_t bins = 32;

std::vector<std::vector<double>> edges_of(const Samples& samples) {
  std::vector<std::vector<double>> edges(samples.features);
  std::vector<double> values(samples.size());
  for (std::size_t f = 0; f < samples.features; ++f) {
    for (std::size_t i = 0; i < samples.size(); ++i) values[i] = samples.row(i)[f];
    std::sort(values.begin(), values.end());
    for (std::size_t bin = 1; bin < bins; ++bin) {
      const std::size_t at = bin * values.size() / bins;
      if (at == 0 || values[at - 1] == values[at]) continue;
      edges[f].push_back((values[at - 1] + values[at]) / 2);
    }
  }
  return edges;
}

/// The best division of a node found so far.
struct Division {
  /// Negative: none.
  double gain = -1;
  std::size_t feature = 0;
  double threshold = 0;
  /// Samples in bins up to this one go to the left.
  unsigned char below = 0;
};

/// Grows one tree after another, each for the residuals of those before.
class TreeGrower {
 public:
  TreeGrower(const BinnedSamples& samples, std::span<const double> targets, double base);
  RegressionTree grow();

 private:
  /// A node's samples are neighbors in `order_`, each in the order in which it was learned.
  struct Node {
    std::size_t begin;
    std::size_t end;
  };

  void fill_cells(const Node& node);
  Division divide(const Node& node) const;
  void try_feature(std::size_t feature, double all, std::size_t count, Division& best) const;
  std::size_t descend(const Node& node, const Division& division);
  void set_values(const std::vector<Node>& leaves, RegressionTree& tree);

  const BinnedSamples& samples_;
  std::vector<double> residual_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> right_;
  /// Residuals and number of one node's samples by feature and bin: small enough to stay in the first-level cache.
  std::vector<double> sums_;
  std::vector<std::uint32_t> counts_;
};

TreeGrower::TreeGrower(const BinnedSamples& samples, std::span<const double> targets, double base)
    : samples_(samples),
      residual_(samples.size),
      order_(samples.size),
      sums_(samples.features * bins),
      counts_(samples.features * bins) {
  for (std::size_t i = 0; i < samples.size; ++i) residual_[i] = targets[i] - base;
}

RegressionTree TreeGrower::grow() {
  RegressionTree tree;
  std::iota(order_.begin(), order_.end(), 0);
  std::vector<Node> level{{0, order_.size()}};
  std::size_t number = 0;
  for (std::size_t depth = 0; depth < RegressionTree::depth; ++depth) {
    std::vector<Node> next;
    for (const Node& node : level) {
      fill_cells(node);
      const Division division = divide(node);
      tree.feature[number] = division.feature;
      // A node that cannot be divided sends everything to one side.
      tree.threshold[number] = division.gain < 0 ? -std::numeric_limits<double>::infinity() : division.threshold;
      const std::size_t middle = descend(node, division);
      next.push_back({node.begin, middle});
      next.push_back({middle, node.end});
      ++number;
    }
    level = std::move(next);
  }
  set_values(level, tree);
  return tree;
}

void TreeGrower::fill_cells(const Node& node) {
  std::ranges::fill(sums_, 0);
  std::ranges::fill(counts_, 0);
  const std::size_t features = samples_.features;
  for (std::size_t at = node.begin; at < node.end; ++at) {
    const unsigned char* const own = &samples_.bin[order_[at] * features];
    const double value = residual_[order_[at]];
    for (std::size_t f = 0; f < features; ++f) {
      const std::size_t cell = f * bins + own[f];
      sums_[cell] += value;
      ++counts_[cell];
    }
  }
}

Division TreeGrower::divide(const Node& node) const {
  double all = 0;
  for (std::size_t at = node.begin; at < node.end; ++at) all += residual_[order_[at]];
  Division best;
  for (std::size_t f = 0; f < samples_.features; ++f) try_feature(f, all, node.end - node.begin, best);
  return best;
}

/// Takes the best threshold of a feature if it is better than the node's division so far.
void TreeGrower::try_feature(std::size_t feature, double all, std::size_t count, Division& best) const {
  const double* const sums = &sums_[feature * bins];
  const std::uint32_t* const counts = &counts_[feature * bins];
  const std::vector<double>& edges = samples_.edges[feature];
  const double* const inverse = samples_.inverse.data();
  double left = 0;
  std::size_t in_left = 0;
  for (std::size_t b = 0; b < edges.size(); ++b) {
    left += sums[b];
    in_left += counts[b];
    const std::size_t in_right = count - in_left;
    if (in_left == 0 || in_right == 0) continue;
    const double right = all - left;
    const double gain = left * left * inverse[in_left] + right * right * inverse[in_right];
    if (gain > best.gain) best = {gain, feature, edges[b], static_cast<unsigned char>(b)};
  }
}

/// Moves samples to the children, those of the left one first, and returns where those of the right one begin.
std::size_t TreeGrower::descend(const Node& node, const Division& division) {
  right_.clear();
  std::size_t left = node.begin;
  for (std::size_t at = node.begin; at < node.end; ++at) {
    const std::size_t sample = order_[at];
    const bool goes_left =
        division.gain >= 0 && samples_.bin[sample * samples_.features + division.feature] <= division.below;
    if (goes_left) {
      order_[left++] = sample;
    } else {
      right_.push_back(sample);
    }
  }
  std::ranges::copy(right_, order_.begin() + static_cast<std::ptrdiff_t>(left));
  return left;
}

/// Leaves have the mean of their samples' residuals, times the rate, which the next tree no longer sees.
void TreeGrower::set_values(const std::vector<Node>& leaves, RegressionTree& tree) {
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    const Node& node = leaves[leaf];
    double& value = tree.value[leaf];
    for (std::size_t at = node.begin; at < node.end; ++at) value += residual_[order_[at]];
    if (node.end > node.begin) value *= rate / static_cast<double>(node.end - node.begin);
    for (std::size_t at = node.begin; at < node.end; ++at) residual_[order_[at]] -= value;
  }
}

}  // namespace

BinnedSamples::BinnedSamples(const Samples& samples)
    : size(samples.size()),
      features(samples.features),
      edges(edges_of(samples)),
      bin(size * features),
      inverse(size + 1, 0) {
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t f = 0; f < features; ++f) {
      const auto above = std::upper_bound(edges[f].begin(), edges[f].end(), samples.row(i)[f]);
      bin[i * features + f] = static_cast<unsigned char>(above - edges[f].begin());
    }
  }
  for (std::size_t count = 1; count <= size; ++count) inverse[count] = 1 / static_cast<double>(count);
}

double RegressionTree::operator()(std::span<const double> features) const {
  std::size_t node = 0;
  for (std::size_t level = 0; level < depth; ++level) {
    node = 2 * node + (features[feature[node]] < threshold[node] ? 1 : 2);
  }
  return value[node - inner];
}

void GradientBoosting::prepare(const Samples& learned, const Samples& asked) {
  binned_.emplace(learned);
  asked_ = &asked;
}

void GradientBoosting::fit(std::span<const double> targets) {
  base_ = std::accumulate(targets.begin(), targets.end(), 0.0) / static_cast<double>(targets.size());
  TreeGrower grower(*binned_, targets, base_);
  trees_.clear();
  for (int t = 0; t < trees; ++t) trees_.push_back(grower.grow());
}

double GradientBoosting::predict(std::size_t asked) const {
  double sum = base_;
  for (const RegressionTree& tree : trees_) sum += tree(asked_->row(asked));
  return sum;
}

}  // namespace pimsweep::systems::rtconc::regression
