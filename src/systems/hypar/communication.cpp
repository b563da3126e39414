#include "systems/hypar/communication.h"

#include <cmath>

namespace pimsweep::systems::hypar {

namespace {

/// 2^-count.
double halved(int count) { return std::ldexp(1.0, -count); }

/// Factor by which a layer's map would be larger if its convolution kept the size of its input, but for its stride if
/// that counts.
double growth_to_input_size(const workload::TrainingNode& node, FeatureMaps maps) {
  if (node.kind != workload::TrainingNode::Kind::convolution) return 1;
  if (maps != FeatureMaps::input_size && maps != FeatureMaps::unstrided) return 1;
  const auto stride = maps == FeatureMaps::unstrided ? 1.0 : static_cast<double>(node.window.stride);
  return static_cast<double>(node.macs_at_input_size) / (static_cast<double>(node.macs) * stride * stride);
}

/// Elements of the partial sums of a layer.
double partial_sums(const workload::TrainingNode& node, FeatureMaps maps) {
  if (maps == FeatureMaps::product) return static_cast<double>(node.product_output);
  return static_cast<double>(node.output) * growth_to_input_size(node, maps);
}

double times(PartialSumCount count, const workload::TrainingNode& node) {
  const bool connected = node.kind == workload::TrainingNode::Kind::fully_connected;
  const bool twice = count == PartialSumCount::twice || (count == PartialSumCount::by_kind && connected) ||
                     (count == PartialSumCount::by_kind_reversed && !connected);
  return twice ? 2 : 1;
}

}  // namespace

TensorBytes::TensorBytes(const workload::TrainingNetwork& network, std::int64_t batch, double word_bytes,
                         const Accounting& given)
    : accounting(given) {
  const double image = word_bytes * static_cast<double>(batch);
  for (const workload::TrainingNode& node : network.nodes) {
    gradient.push_back(accounting.task == Task::training ? 2 * word_bytes * static_cast<double>(node.weights) : 0);
    features.push_back(node.is_layer() ? times(accounting.partial_sum_count, node) * image *
                                             partial_sums(node, accounting.feature_maps)
                                       : 0);
  }
  for (const workload::Transition& t : network.transitions) {
    const double growth = accounting.converted_maps == ConvertedMaps::pooled
                              ? 1
                              : growth_to_input_size(network.nodes[t.from], accounting.feature_maps);
    transition.push_back(image * static_cast<double>(t.elements) * growth);
  }
}

CostTables::CostTables(int level_count, const std::vector<double>& weight, const Accounting& accounting)
    : levels(level_count) {
  const std::size_t states = search::state_count(levels);
  gradient.assign(states, 0);
  features.assign(states, 0);
  for (std::vector<double>& table : conversions) table.assign(states * states, 0);
  for (int level = 1; level <= levels; ++level) {
    const double cost = weight[static_cast<std::size_t>(level - 1)];
    for (search::State from = 0; from < states; ++from) {
      gradient[from] += cost * gradient_bytes(1, from, level);
      features[from] += cost * feature_bytes(1, from, level);
      for (search::State to = 0; to < states; ++to) {
        for (const Source source : {Source::convolution, Source::fully_connected, Source::junction}) {
          conversions[static_cast<std::size_t>(source)][from * states + to] +=
              cost * transition_bytes(1, source, accounting, from, to, level).both();
        }
      }
    }
  }
}

std::vector<double> pairs_of_levels(int levels) {
  std::vector<double> pairs;
  for (int level = 1; level <= levels; ++level) pairs.push_back(std::ldexp(1.0, level - 1));
  return pairs;
}

Source source_of(const workload::TrainingNode& node) {
  if (!node.is_layer()) return Source::junction;
  return node.kind == workload::TrainingNode::Kind::fully_connected ? Source::fully_connected : Source::convolution;
}

double gradient_bytes(double whole, search::State state, int level) {
  return search::model_parallel(state, level) ? 0 : whole * halved(search::model_levels_above(state, level));
}

double feature_bytes(double whole, search::State state, int level) {
  return search::model_parallel(state, level) ? whole * halved(search::data_levels_above(state, level)) : 0;
}

Conversion transition_bytes(double whole, Source source, const Accounting& accounting, search::State from,
                            search::State to, int level) {
  const int halvings = accounting.conversion_shape == ConversionShape::source
                           ? search::data_levels_above(from, level) + search::model_levels_above(to, level)
                           : level - 1;
  const bool from_model = search::model_parallel(from, level);
  const bool to_model = search::model_parallel(to, level);
  const Conversion part = conversion(source, from_model, to_model);
  const double bytes = whole * halved(halvings) * conversion_count(accounting, source, from_model, to_model);
  return {bytes * part.forward, accounting.task == Task::training ? bytes * part.backward : 0};
}

}  // namespace pimsweep::systems::hypar
