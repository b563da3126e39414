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

/// Residuals of a node's samples in one bin.
struct Cell {
  double sum = 0;
  std::size_t count = 0;
};

/// Inner edges of the bins of each feature, ascending.
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

/// A level of a growing tree: its nodes, from left to right.
struct Level {
  explicit Level(std::size_t number)
      : first((std::size_t{1} << number) - 1),
        width(std::size_t{1} << number),
        sum(width),
        counts(width, 0),
        gain(width, -1),
        below(width, 0) {}

  std::size_t first;
  std::size_t width;
  /// Residuals and number of each node's samples.
  std::vector<double> sum;
  std::vector<std::size_t> counts;
  /// The best division found so far; negative: none. Samples in bins up to `below` go to the left.
  std::vector<double> gain;
  std::vector<unsigned char> below;
};

/// Grows one tree after another, each for the residuals of those before.
class TreeGrower {
 public:
  TreeGrower(const Samples& samples, std::span<const double> targets, double base);
  RegressionTree grow();

 private:
  void sum_residuals(Level& level) const;
  void fill_cells(const Level& level);
  void divide(Level& level, RegressionTree& tree) const;
  void divide_node(std::size_t feature, std::size_t node, Level& level, RegressionTree& tree) const;
  void descend(const Level& level, RegressionTree& tree);
  void set_values(RegressionTree& tree);

  std::size_t size_;
  std::size_t features_;
  std::vector<std::vector<double>> edges_;
  /// Bin of each value, sample by sample: neighbors are in cells of their own, so that no addition waits for another.
  std::vector<unsigned char> bin_;
  std::vector<double> residual_;
  /// The node that each sample has reached.
  std::vector<std::size_t> node_;
  std::vector<Cell> cells_;
  /// 1 / count: the search for the best division would wait for divisions.
  std::vector<double> inverse_;
};

TreeGrower::TreeGrower(const Samples& samples, std::span<const double> targets, double base)
    : size_(samples.size()),
      features_(samples.features),
      edges_(edges_of(samples)),
      bin_(features_ * size_),
      residual_(size_),
      node_(size_),
      cells_(features_ * bins * RegressionTree::leaves / 2),
      inverse_(size_ + 1, 0) {
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t f = 0; f < features_; ++f) {
      const auto above = std::upper_bound(edges_[f].begin(), edges_[f].end(), samples.row(i)[f]);
      bin_[i * features_ + f] = static_cast<unsigned char>(above - edges_[f].begin());
    }
  }
  for (std::size_t i = 0; i < size_; ++i) residual_[i] = targets[i] - base;
  for (std::size_t count = 1; count <= size_; ++count) inverse_[count] = 1 / static_cast<double>(count);
}

RegressionTree TreeGrower::grow() {
  RegressionTree tree;
  std::fill(node_.begin(), node_.end(), 0);
  for (std::size_t number = 0; number < RegressionTree::depth; ++number) {
    Level level(number);
    sum_residuals(level);
    fill_cells(level);
    divide(level, tree);
    descend(level, tree);
  }
  set_values(tree);
  return tree;
}

void TreeGrower::sum_residuals(Level& level) const {
  for (std::size_t i = 0; i < size_; ++i) {
    level.sum[node_[i] - level.first] += residual_[i];
    ++level.counts[node_[i] - level.first];
  }
}

void TreeGrower::fill_cells(const Level& level) {
  const std::size_t features = features_;
  std::fill_n(cells_.begin(), level.width * features * bins, Cell{});
  for (std::size_t i = 0; i < size_; ++i) {
    Cell* const of_node = &cells_[(node_[i] - level.first) * features * bins];
    const unsigned char* const own = &bin_[i * features];
    const double value = residual_[i];
    for (std::size_t f = 0; f < features; ++f) {
      Cell& cell = of_node[f * bins + own[f]];
      cell.sum += value;
      cell.count += 1;
    }
  }
}

void TreeGrower::divide(Level& level, RegressionTree& tree) const {
  for (std::size_t f = 0; f < features_; ++f) {
    for (std::size_t node = 0; node < level.width; ++node) divide_node(f, node, level, tree);
  }
}

/// Takes the best threshold of a feature if it is better than the node's division so far.
void TreeGrower::divide_node(std::size_t feature, std::size_t node, Level& level, RegressionTree& tree) const {
  const Cell* const cell = &cells_[(node * features_ + feature) * bins];
  const std::vector<double>& edges = edges_[feature];
  const double* const inverse = inverse_.data();
  const double all = level.sum[node];
  const std::size_t count = level.counts[node];
  double best = level.gain[node];
  double left = 0;
  std::size_t in_left = 0;
  for (std::size_t b = 0; b < edges.size(); ++b) {
    left += cell[b].sum;
    in_left += cell[b].count;
    const std::size_t in_right = count - in_left;
    if (in_left == 0 || in_right == 0) continue;
    const double right = all - left;
    const double gain = left * left * inverse[in_left] + right * right * inverse[in_right];
    if (gain <= best) continue;
    best = level.gain[node] = gain;
    tree.feature[level.first + node] = feature;
    tree.threshold[level.first + node] = edges[b];
    level.below[node] = static_cast<unsigned char>(b);
  }
}

/// Moves samples to the children. A node that cannot be divided sends everything to one side.
void TreeGrower::descend(const Level& level, RegressionTree& tree) {
  for (std::size_t i = 0; i < size_; ++i) {
    const std::size_t node = node_[i] - level.first;
    const bool goes_left = level.gain[node] >= 0 && bin_[i * features_ + tree.feature[node_[i]]] <= level.below[node];
    node_[i] = 2 * node_[i] + (goes_left ? 1 : 2);
  }
  for (std::size_t node = 0; node < level.width; ++node) {
    if (level.gain[node] < 0) tree.threshold[level.first + node] = -std::numeric_limits<double>::infinity();
  }
}

/// Leaves have the mean of their samples' residuals, times the rate, which the next tree no longer sees.
void TreeGrower::set_values(RegressionTree& tree) {
  std::array<double, RegressionTree::leaves> count{};
  for (std::size_t i = 0; i < size_; ++i) {
    tree.value[node_[i] - RegressionTree::inner] += residual_[i];
    ++count[node_[i] - RegressionTree::inner];
  }
  for (std::size_t leaf = 0; leaf < RegressionTree::leaves; ++leaf) {
    if (count[leaf] > 0) tree.value[leaf] *= rate / count[leaf];
  }
  for (std::size_t i = 0; i < size_; ++i) residual_[i] -= tree.value[node_[i] - RegressionTree::inner];
}

}  // namespace

double RegressionTree::operator()(std::span<const double> features) const {
  std::size_t node = 0;
  for (std::size_t level = 0; level < depth; ++level) {
    node = 2 * node + (features[feature[node]] < threshold[node] ? 1 : 2);
  }
  return value[node - inner];
}

void GradientBoosting::fit(const Samples& samples, std::span<const double> targets) {
  base_ = std::accumulate(targets.begin(), targets.end(), 0.0) / static_cast<double>(samples.size());
  TreeGrower grower(samples, targets, base_);
  trees_.clear();
  for (int t = 0; t < trees; ++t) trees_.push_back(grower.grow());
}

double GradientBoosting::predict(std::span<const double> features) const {
  double sum = base_;
  for (const RegressionTree& tree : trees_) sum += tree(features);
  return sum;
}

}  // namespace pimsweep::systems::rtconc::regression
