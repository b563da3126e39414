#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "systems/rtconc/regression/models.h"

namespace pimsweep::systems::rtconc::regression {

namespace {

constexpr int trees = 100;
constexpr std::size_t bins = BinnedSamples::bins;

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

BinnedSamples::BinnedSamples(const Samples& samples)
    : size(samples.size()),
      features(samples.features),
      edges(edges_of(samples)),
      bin(size * features),
      inverse(size + 1, 0),
      by_bin(size * features),
      begin(features * (bins + 1)) {
  if (size > std::numeric_limits<std::uint16_t>::max()) throw std::length_error("too many samples to grow trees from");
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t f = 0; f < features; ++f) {
      const auto above = std::upper_bound(edges[f].begin(), edges[f].end(), samples.row(i)[f]);
      bin[i * features + f] = static_cast<unsigned char>(above - edges[f].begin());
    }
  }
  for (std::size_t count = 1; count <= size; ++count) inverse[count] = 1 / static_cast<double>(count);
  // The begin of each bin, then the place of its next sample.
  for (std::size_t f = 0; f < features; ++f) {
    std::uint32_t* const of_feature = &begin[f * (bins + 1)];
    for (std::size_t i = 0; i < size; ++i) ++of_feature[bin[i * features + f] + 1];
    std::partial_sum(of_feature, of_feature + bins + 1, of_feature);
    std::array<std::uint32_t, bins> next;
    std::copy_n(of_feature, bins, next.begin());
    for (std::size_t i = 0; i < size; ++i) {
      by_bin[f * size + next[bin[i * features + f]]++] = static_cast<std::uint16_t>(i);
    }
  }
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
  predictions_.resize(targets.size() / binned_->size * asked_->size());
  for (std::size_t first = 0; first * binned_->size < targets.size(); first += lanes) {
    const std::size_t begin = first * binned_->size;
    fit_group(targets.subspan(begin, std::min(targets.size() - begin, lanes * binned_->size)), first);
  }
}

/// Learns at most as many targets as there are lanes; `first` is the number of the first one.
void GradientBoosting::fit_group(std::span<const double> targets, std::size_t first) {
  const std::size_t asked = asked_->size();
  std::vector<std::span<const double>> own;
  std::vector<double> bases;
  for (std::size_t begin = 0; begin < targets.size(); begin += binned_->size) {
    own.push_back(targets.subspan(begin, binned_->size));
    bases.push_back(std::accumulate(own.back().begin(), own.back().end(), 0.0) / static_cast<double>(binned_->size));
    std::fill_n(&predictions_[(first + own.size() - 1) * asked], asked, bases.back());
  }
  TreeGroup group(*binned_, own, bases);
  for (int t = 0; t < trees; ++t) {
    const TreeGroup::Trees& grown = group.grow();
    for (std::size_t target = 0; target < own.size(); ++target) {
      double* const predicted = &predictions_[(first + target) * asked];
      for (std::size_t i = 0; i < asked; ++i) predicted[i] += grown[target](asked_->row(i));
    }
  }
}

}  // namespace pimsweep::systems::rtconc::regression
