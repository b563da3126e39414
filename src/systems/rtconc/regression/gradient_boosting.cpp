#include <algorithm>
#include <cmath>
#include <numeric>

#include "systems/rtconc/regression/models.h"

namespace pimsweep::systems::rtconc::regression {

namespace {

constexpr int trees = 100;
constexpr double rate = 0.1;
/// Thresholds that are tried lie between so many quantiles of each feature.
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

}  // namespace

std::size_t GradientBoosting::leaf_of(const Tree& tree, std::span<const double> features) const {
  std::size_t node = 0;
  for (std::size_t level = 0; level < depth; ++level) {
    node = 2 * node + (features[tree.feature[node]] < tree.threshold[node] ? 1 : 2);
  }
  return node - (leaves - 1);
}

void GradientBoosting::fit(const Samples& samples, std::span<const double> targets) {
  const std::size_t n = samples.size();
  const std::vector<std::vector<double>> edges = edges_of(samples);
  const std::size_t features = samples.features;
  // Bin of each value, sample by sample: neighbours are in cells of their own, so that no addition waits for another.
  std::vector<unsigned char> bin(features * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t f = 0; f < features; ++f) {
      const auto above = std::upper_bound(edges[f].begin(), edges[f].end(), samples.row(i)[f]);
      bin[i * features + f] = static_cast<unsigned char>(above - edges[f].begin());
    }
  }
  base_ = std::accumulate(targets.begin(), targets.end(), 0.0) / static_cast<double>(n);
  std::vector<double> residual(n);
  for (std::size_t i = 0; i < n; ++i) residual[i] = targets[i] - base_;
  trees_.clear();
  std::vector<std::size_t> node(n);
  std::vector<Cell> cells(features * bins * leaves / 2);
  // By multiplication: the search for the best division would wait for its divisions.
  std::vector<double> inverse(n + 1, 0);
  for (std::size_t count = 1; count <= n; ++count) inverse[count] = 1 / static_cast<double>(count);
  for (int t = 0; t < trees; ++t) {
    Tree tree;
    std::fill(node.begin(), node.end(), 0);
    for (std::size_t level = 0; level < depth; ++level) {
      const std::size_t first = (std::size_t{1} << level) - 1;
      const std::size_t width = std::size_t{1} << level;
      std::vector<double> all(width), best(width, -1);
      std::vector<std::size_t> counts(width, 0);
      std::vector<unsigned char> below(width, 0);
      for (std::size_t i = 0; i < n; ++i) {
        all[node[i] - first] += residual[i];
        ++counts[node[i] - first];
      }
      std::fill_n(cells.begin(), width * features * bins, Cell{});
      for (std::size_t i = 0; i < n; ++i) {
        Cell* const of_node = &cells[(node[i] - first) * features * bins];
        const unsigned char* const own = &bin[i * features];
        const double value = residual[i];
        for (std::size_t f = 0; f < features; ++f) {
          Cell& cell = of_node[f * bins + own[f]];
          cell.sum += value;
          cell.count += 1;
        }
      }
      for (std::size_t f = 0; f < features; ++f) {
        for (std::size_t at = 0; at < width; ++at) {
          const Cell* const cell = &cells[(at * features + f) * bins];
          double left = 0;
          std::size_t in_left = 0;
          for (std::size_t b = 0; b < edges[f].size(); ++b) {
            left += cell[b].sum;
            in_left += cell[b].count;
            const std::size_t in_right = counts[at] - in_left;
            if (in_left == 0 || in_right == 0) continue;
            const double right = all[at] - left;
            const double gain = left * left * inverse[in_left] + right * right * inverse[in_right];
            if (gain <= best[at]) continue;
            best[at] = gain;
            tree.feature[first + at] = f;
            tree.threshold[first + at] = edges[f][b];
            below[at] = static_cast<unsigned char>(b);
          }
        }
      }
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t at = node[i] - first;
        // A node that cannot be divided sends everything to one side.
        const bool goes_left = best[at] >= 0 && bin[i * features + tree.feature[node[i]]] <= below[at];
        node[i] = 2 * node[i] + (goes_left ? 1 : 2);
      }
      for (std::size_t at = 0; at < width; ++at) {
        if (best[at] < 0) tree.threshold[first + at] = -INFINITY;
      }
    }
    std::array<double, leaves> count{};
    for (std::size_t i = 0; i < n; ++i) {
      tree.value[node[i] - (leaves - 1)] += residual[i];
      ++count[node[i] - (leaves - 1)];
    }
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
      if (count[leaf] > 0) tree.value[leaf] *= rate / count[leaf];
    }
    for (std::size_t i = 0; i < n; ++i) residual[i] -= tree.value[node[i] - (leaves - 1)];
    trees_.push_back(tree);
  }
}

double GradientBoosting::predict(std::span<const double> features) const {
  double sum = base_;
  for (const Tree& tree : trees_) sum += tree.value[leaf_of(tree, features)];
  return sum;
}

}  // namespace pimsweep::systems::rtconc::regression
