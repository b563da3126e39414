#include "workload/import/fusion.h"

#include <algorithm>
#include <optional>
#include <string>

namespace pimsweep::workload::import {

namespace {

using Kind = OperatorKind;

bool is_weighted(OperatorKind kind) {
  return kind == Kind::linear || kind == Kind::convolution || kind == Kind::transposed_convolution;
}

bool is(const DraftGraph& drafts, DraftId id, OperatorKind kind, std::string_view role) {
  return drafts.node(id).kind == kind && drafts.node(id).role == role;
}

/// The only input of a draft; none unless the draft has this kind and role.
std::optional<DraftId> input_of(const DraftGraph& drafts, DraftId id, OperatorKind kind, std::string_view role) {
  if (!is(drafts, id, kind, role) || drafts[id].inputs.size() != 1) return std::nullopt;
  return drafts[id].inputs.front();
}

void fuse_bias(DraftGraph& drafts, DraftId id) {
  const auto source = input_of(drafts, id, Kind::add, "bias");
  if (!source || !is_weighted(drafts.node(*source).kind) || !drafts.has_one_reader(*source)) return;
  drafts.node(*source).parameters += drafts.node(id).parameters;
  drafts.replace(id, *source);
}

/// True if `id` is a power of `x`, or x times such a power.
bool is_power_of(const DraftGraph& drafts, DraftId id, DraftId x) {
  if (input_of(drafts, id, Kind::activation, "pow") == x) return true;
  if (drafts.node(id).kind != Kind::multiply || drafts[id].inputs.size() != 2) return false;
  const auto is_factor = [&](DraftId factor) {
    return factor == x || input_of(drafts, factor, Kind::activation, "pow") == x;
  };
  const auto is_square = [&](DraftId factor) {
    return drafts.node(factor).kind == Kind::multiply && drafts[factor].inputs == std::vector<DraftId>{x, x};
  };
  const DraftId a = drafts[id].inputs[0];
  const DraftId b = drafts[id].inputs[1];
  return (is_factor(a) && (is_factor(b) || is_square(b))) || (is_square(a) && is_factor(b));
}

/// Name of the activation function x g(x), where `gate` is g(x); empty if it is not a known one.
std::string gated_function(const DraftGraph& drafts, DraftId x, DraftId gate) {
  if (drafts.node(gate).kind != Kind::activation || drafts[gate].inputs.size() != 1) return {};
  const std::string& role = drafts.node(gate).role;
  const DraftId inner = drafts[gate].inputs.front();
  if (inner == x) {
    if (role == "sigmoid") return "silu";
    if (role == "erf") return "gelu";
    if (role == "hard_sigmoid" || role == "relu6") return "hard_swish";
  }
  if (role != "tanh") return {};
  if (input_of(drafts, inner, Kind::activation, "softplus") == x) return "mish";
  // The approximation of GELU: x + 0.044715 x^3.
  const bool is_sum = drafts.node(inner).kind == Kind::add && drafts[inner].inputs.size() == 2;
  if (!is_sum) return {};
  const DraftId a = drafts[inner].inputs[0];
  const DraftId b = drafts[inner].inputs[1];
  return (a == x && is_power_of(drafts, b, x)) || (b == x && is_power_of(drafts, a, x)) ? "gelu" : "";
}

void fuse_gate(DraftGraph& drafts, DraftId id) {
  if (drafts.node(id).kind != Kind::multiply || drafts[id].inputs.size() != 2) return;
  for (const std::size_t x : {std::size_t{0}, std::size_t{1}}) {
    const DraftId gate = drafts[id].inputs[1 - x];
    const std::string function = gated_function(drafts, drafts[id].inputs[x], gate);
    if (function.empty() || !drafts.has_one_reader(gate)) continue;
    drafts.keep_input(id, x);
    drafts.node(id).kind = Kind::activation;
    drafts.node(id).role = function;
    return;
  }
}

/// Source of a broadcast; the draft itself if it is not a broadcast.
DraftId without_broadcast(const DraftGraph& drafts, DraftId id) {
  return input_of(drafts, id, Kind::gather, "broadcast").value_or(id);
}

std::optional<DraftId> input_of_mean(const DraftGraph& drafts, DraftId id) {
  if (const auto x = input_of(drafts, id, Kind::slice, "reduce_mean")) return x;
  return input_of(drafts, id, Kind::global_pool, "global_pool");
}

/// Tensor whose root mean square a draft computes.
std::optional<DraftId> input_of_deviation(const DraftGraph& drafts, DraftId id) {
  std::optional<DraftId> mean = input_of(drafts, id, Kind::activation, "sqrt");
  if (!mean) return std::nullopt;
  // Some exporters restore the dimension that the mean removes by a reshape.
  if (const auto viewed = input_of(drafts, *mean, Kind::reshape, "reshape")) mean = viewed;
  const std::optional<DraftId> square = input_of_mean(drafts, *mean);
  if (!square) return std::nullopt;
  if (const auto x = input_of(drafts, *square, Kind::activation, "pow")) return x;
  const std::vector<DraftId>& factors = drafts[*square].inputs;
  if (drafts.node(*square).kind != Kind::multiply || factors.size() != 2 || factors[0] != factors[1])
    return std::nullopt;
  return factors[0];
}

/// Index of the input that is divided by its root mean square; none if the draft is not such a normalization.
std::optional<std::size_t> normalized_input(const DraftGraph& drafts, DraftId id) {
  if (drafts.node(id).kind != Kind::multiply || drafts[id].inputs.size() != 2) return std::nullopt;
  const bool divides = drafts.node(id).role == "div";
  for (const std::size_t x : {std::size_t{0}, std::size_t{1}}) {
    if (divides && x == 1) continue;
    DraftId factor = without_broadcast(drafts, drafts[id].inputs[1 - x]);
    if (!divides) {
      const auto root = input_of(drafts, factor, Kind::activation, "reciprocal");
      if (!root) continue;
      factor = *root;
    }
    if (input_of_deviation(drafts, factor) == drafts[id].inputs[x]) return x;
  }
  return std::nullopt;
}

/// x, for a draft that computes x minus its mean.
std::optional<DraftId> centered_input(const DraftGraph& drafts, DraftId id) {
  if (!is(drafts, id, Kind::add, "sub") || drafts[id].inputs.size() != 2) return std::nullopt;
  const DraftId x = drafts[id].inputs[0];
  const DraftId mean = without_broadcast(drafts, drafts[id].inputs[1]);
  return input_of_mean(drafts, mean) == x ? std::optional(x) : std::nullopt;
}

void fuse_norm(DraftGraph& drafts, DraftId id) {
  const std::optional<std::size_t> x = normalized_input(drafts, id);
  if (!x) return;
  drafts.keep_input(id, *x);
  Operator& node = drafts.node(id);
  node.kind = Kind::layer_norm;
  node.role = "rms_norm";
  if (const auto source = centered_input(drafts, drafts[id].inputs.front())) {
    node.role = "layer_norm";
    drafts.redirect(id, 0, *source);
  }
}

/// Merges a learned scale or offset into the normalization before it.
void fuse_scale(DraftGraph& drafts, DraftId id) {
  const bool scales = is(drafts, id, Kind::activation, "scale");
  const bool shifts = is(drafts, id, Kind::add, "bias") || is(drafts, id, Kind::add, "offset");
  if ((!scales && !shifts) || drafts[id].inputs.size() != 1) return;
  const DraftId source = drafts[id].inputs.front();
  if (drafts.node(source).kind != Kind::layer_norm || !drafts.has_one_reader(source)) return;
  drafts.node(source).parameters += drafts.node(id).parameters;
  drafts.replace(id, source);
}

void merge_reshapes(DraftGraph& drafts, DraftId id) {
  if (drafts.node(id).kind != Kind::reshape) return;
  const DraftId source = drafts[id].inputs.front();
  if (drafts.node(source).kind == Kind::reshape) {
    if (drafts.node(id).role == "reshape") drafts.node(id).role = drafts.node(source).role;
    drafts.redirect(id, 0, drafts[source].inputs.front());
  }
  if (drafts.node(id).role == "reshape" && drafts.node(drafts[id].inputs.front()).output == drafts.node(id).output) {
    drafts.replace(id, drafts[id].inputs.front());
  }
}

/// A slice can read its source in any order of dimensions, so reshapes before it are dropped.
void slice_source(DraftGraph& drafts, DraftId id) {
  if (drafts.node(id).kind != Kind::slice || drafts[id].inputs.size() != 1) return;
  const DraftId source = drafts[id].inputs.front();
  if (drafts.node(source).kind == Kind::reshape) drafts.redirect(id, 0, drafts[source].inputs.front());
}

/// A GEMM of two tensors reads its factors and writes its result in any order of dimensions, so reshapes around it are
/// dropped.
void absorb_reshapes(DraftGraph& drafts, DraftId id) {
  if (drafts.node(id).kind != Kind::matmul) return;
  for (std::size_t i = 0; i < drafts[id].inputs.size(); ++i) {
    const DraftId source = drafts[id].inputs[i];
    if (drafts.node(source).kind == Kind::reshape) drafts.redirect(id, i, drafts[source].inputs.front());
  }
  if (!drafts.has_one_reader(id)) return;
  const DraftId reader = drafts[id].readers.front();
  if (drafts.node(reader).kind != Kind::reshape) return;
  drafts.node(id).output = drafts.node(reader).output;
  drafts.replace(reader, id);
}

using Pass = void (*)(DraftGraph& drafts, DraftId id);

void run(DraftGraph& drafts, Pass pass) {
  for (DraftId id = 0; id < drafts.size(); ++id) {
    if (!drafts[id].removed) pass(drafts, id);
  }
  drafts.remove_unread();
}

}  // namespace

void fuse(DraftGraph& drafts) {
  drafts.remove_unread();
  for (const Pass pass :
       {merge_reshapes, fuse_gate, fuse_norm, fuse_bias, fuse_scale, slice_source, absorb_reshapes, merge_reshapes}) {
    run(drafts, pass);
  }
  // A scale is followed by an offset.
  run(drafts, fuse_scale);
}

}  // namespace pimsweep::workload::import
