#include "workload/training/lowering.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/error.h"

namespace pimsweep::workload::training {

namespace {

using enum OperationType;

/// TensorFlow 1.x has no grouped convolutions.
bool is_ungrouped(const OperatorGraph& graph, OperatorId id) { return graph.at(id).window.groups == 1; }

/// True for attention with equal numbers of query and key-value heads.
bool is_attention(const OperatorGraph& graph, OperatorId id) {
  const Operator& node = graph.at(id);
  if (node.role != "scores" && node.role != "context") return false;
  const std::int64_t heads = attention_heads(graph, id);
  return heads > 0 && node.product.batch % heads == 0;
}

/// Not selected from several, unlike the matrices of experts.
bool is_whole(const OperatorGraph& graph, OperatorId id) { return graph.at(id).idle == 0; }

/// With mean and offset, unlike RMS normalization.
bool has_offset(const OperatorGraph& graph, OperatorId id) {
  const Operator& node = graph.at(id);
  return node.parameters != node.output.shape.back();
}

bool is_function(const OperatorGraph& graph, OperatorId id) { return is_known_function(graph.at(id).role); }

/// One vector for all positions of a map.
bool spreads_vector(const OperatorGraph& graph, OperatorId id) {
  const std::vector<Tensor> inputs = graph.inputs(id);
  return inputs.size() == 1 && inputs[0].elements() == graph.at(id).output.shape.back();
}

/// Checks if the sharing of an operator's weights is unambiguous.
class SharedWeights {
 public:
  SharedWeights(const OperatorGraph& graph, const std::vector<OperatorId>& order) {
    for (const OperatorId id : order) {
      if (is_owner(graph.at(id))) ++owners_[weights_key(graph.at(id))];
    }
  }

  /// True if an operator has its own weights, no weights, or shares those of the one linear operator of its role, which
  /// was checked before.
  bool finds(const Operator& node) {
    if (is_owner(node)) known_.insert(weights_key(node));
    if (!node.shares_weights) return true;
    const WeightsKey key = weights_key(node);
    return node.kind == OperatorKind::linear && known_.contains(key) && owners_.at(key) == 1;
  }

 private:
  static bool is_owner(const Operator& node) { return node.kind == OperatorKind::linear && !node.shares_weights; }

  std::map<WeightsKey, int> owners_;
  std::set<WeightsKey> known_;
};

void require_dropout_places(const OperatorGraph& graph, const std::vector<OperatorId>& order,
                            const std::vector<std::string>& places) {
  std::vector<std::string> known;
  for (const OperatorId id : order) {
    known.push_back(graph.at(id).name);
    known.push_back(graph.at(id).role);
  }
  std::string wrong;
  for (const std::string& place : places) {
    if (std::find(known.begin(), known.end(), place) != known.end()) continue;
    wrong += fmt::format("{}dropout after '{}', which is neither name nor role of an operator{}",
                         wrong.empty() ? "" : "; ", place, suggestion(place, known));
  }
  if (!wrong.empty()) throw PointError(wrong);
}

}  // namespace

WeightsKey weights_key(const Operator& node) {
  return {node.stage, node.role, node.product.inner, node.product.columns};
}

const Lowering::Rule& Lowering::rule_of(OperatorKind kind) {
  using Kind = OperatorKind;
  static constexpr std::array rules{
      Rule{Kind::input, &Lowering::input},
      Rule{Kind::embedding, &Lowering::embedding},
      Rule{Kind::linear, &Lowering::linear, is_whole},
      Rule{Kind::matmul, &Lowering::attention_product, is_attention},
      Rule{Kind::convolution, &Lowering::convolution, is_ungrouped},
      Rule{Kind::transposed_convolution, &Lowering::transposed_convolution, is_ungrouped},
      Rule{Kind::layer_norm, &Lowering::layer_norm, has_offset},
      Rule{Kind::batch_norm, &Lowering::batch_norm},
      Rule{Kind::response_norm, &Lowering::same<LRN>},
      Rule{Kind::softmax, &Lowering::same<Softmax>},
      Rule{Kind::activation, &Lowering::activation, is_function},
      Rule{Kind::add, &Lowering::add, learned_values_fit},
      Rule{Kind::multiply, &Lowering::multiply},
      Rule{Kind::max_pool, &Lowering::reshaped<MaxPool>},
      Rule{Kind::average_pool, &Lowering::reshaped<AvgPool>},
      Rule{Kind::global_pool, &Lowering::global_pool},
      Rule{Kind::concat, &Lowering::concat, learned_values_fit},
      Rule{Kind::slice, &Lowering::slice},
      Rule{Kind::reshape, &Lowering::reshape},
      Rule{Kind::pad, &Lowering::reshaped<Pad>},
      Rule{Kind::crop, &Lowering::reshaped<Slice>},
      Rule{Kind::gather, &Lowering::spread, spreads_vector},
      Rule{Kind::roll, &Lowering::same<Roll>},
  };
  constexpr auto in_order = [] {
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (static_cast<std::size_t>(rules[i].kind) != i) return false;
    }
    return rules.back().kind == Kind::roll;
  };
  static_assert(in_order());
  return rules[static_cast<std::size_t>(kind)];
}

void Lowering::require_counterparts(const OperatorGraph& graph, const std::vector<OperatorId>& order) {
  std::set<std::string> missing;
  SharedWeights weights(graph, order);
  for (const OperatorId id : order) {
    const Operator& node = graph.at(id);
    const Rule& rule = rule_of(node.kind);
    const bool shares = !weights.finds(node);
    if (!shares && (rule.has_counterpart == nullptr || rule.has_counterpart(graph, id))) continue;
    const std::int64_t groups = node.window.groups;
    missing.insert(fmt::format("{} ({}{}{})", node.name, name_of(node.kind),
                               groups > 1 ? fmt::format(" in {} groups", groups) : "",
                               shares ? " with the weights of another operator" : ""));
  }
  if (missing.empty()) return;
  constexpr std::size_t max_shown = 5;
  const std::vector<std::string> shown(
      missing.begin(), std::next(missing.begin(), static_cast<std::ptrdiff_t>(std::min(missing.size(), max_shown))));
  throw PointError(fmt::format(
      "no training operations for {}{}; docs/training-graphs.md lists supported operators", fmt::join(shown, ", "),
      missing.size() > max_shown ? fmt::format(" and {} more", missing.size() - max_shown) : ""));
}

bool Lowering::is_dropped(const Operator& node) const {
  return !options_.inference &&
         std::any_of(options_.dropout.begin(), options_.dropout.end(),
                     [&](const std::string& place) { return place == node.name || place == node.role; });
}

ValueIndex Lowering::lower(const OperatorGraph& graph, OperatorId last) {
  std::vector<OperatorId> order = graph.topological_order();
  order.erase(std::next(std::find(order.begin(), order.end(), last)), order.end());
  require_counterparts(graph, order);
  require_dropout_places(graph, order, options_.dropout);
  for (const OperatorId id : order) {
    const Operator& node = graph.at(id);
    tape_.enter(scope_ + node.name);
    Site site{graph, id, node, {}, batched(node.output)};
    for (const OperatorId source : graph.predecessors(id)) site.inputs.push_back(outputs_.at(source));
    const ValueIndex value = (this->*rule_of(node.kind).record)(site);
    outputs_[id] = is_dropped(node) ? dropout(value) : value;
  }
  return outputs_.at(last);
}

}  // namespace pimsweep::workload::training
