#include "workload/import/marked_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "workload/import/operator_mark.h"

namespace pimsweep::workload::import {

namespace {

/// True for kinds with several inputs, which may be equal.
bool takes_several(OperatorKind kind) {
  return kind == OperatorKind::matmul || kind == OperatorKind::add || kind == OperatorKind::multiply ||
         kind == OperatorKind::concat;
}

bool has_window(OperatorKind kind) {
  return kind == OperatorKind::convolution || kind == OperatorKind::transposed_convolution ||
         kind == OperatorKind::max_pool || kind == OperatorKind::average_pool;
}

bool has_product(OperatorKind kind) {
  return kind == OperatorKind::linear || kind == OperatorKind::matmul || kind == OperatorKind::convolution ||
         kind == OperatorKind::transposed_convolution;
}

/// Drafts before `first` that an operator reads, in the order in which its own drafts reach them.
std::vector<DraftId> outer_inputs(const DraftGraph& drafts, DraftId last, DraftId first, OperatorKind kind) {
  constexpr std::size_t max_visits = 100'000;
  std::vector<DraftId> found;
  std::unordered_set<DraftId> seen;
  std::vector<DraftId> open{last};
  for (std::size_t visits = 0; !open.empty(); ++visits) {
    if (visits == max_visits) throw Refusal("has too many nodes");
    const DraftId id = open.back();
    open.pop_back();
    if (!takes_several(kind) && !seen.insert(id).second) continue;
    if (id < first) {
      found.push_back(id);
    } else {
      open.insert(open.end(), drafts[id].inputs.rbegin(), drafts[id].inputs.rend());
    }
  }
  return found;
}

/// Operator that combines the drafts from `first` on.
Operator joined(const DraftGraph& drafts, DraftId first, const OperatorMark& mark) {
  Operator op;
  op.kind = mark.kind;
  op.name = mark.name;
  op.role = mark.role;
  op.stage = mark.stage;
  op.block = mark.block;
  op.output = mark.output;
  bool found = false;
  for (DraftId id = first; id < drafts.size(); ++id) {
    const Operator& part = drafts.node(id);
    op.parameters += part.parameters;
    if (part.kind != mark.kind) continue;
    found = true;
    op.product = part.product;
    op.weights = part.weights;
    op.idle = part.idle;
    op.shares_weights = part.shares_weights;
    op.weight_bits = part.weight_bits;
    if (has_window(mark.kind)) op.window = part.window;
  }
  if (!found && (has_product(mark.kind) || has_window(mark.kind))) {
    throw Refusal(fmt::format("is marked as {}, but none of its nodes is one", name_of(mark.kind)));
  }
  return op;
}

}  // namespace

bool is_marked(const OnnxModel& model) {
  std::unordered_set<std::string_view> seen;
  std::span<const OnnxNode> nodes = model.nodes;
  while (!nodes.empty()) {
    if (!read_mark(nodes.front().doc) || !seen.insert(nodes.front().doc).second) return false;
    nodes = nodes.subspan(operator_length(nodes));
  }
  return !model.nodes.empty();
}

std::size_t operator_length(std::span<const OnnxNode> nodes) {
  const auto end = std::ranges::find_if(nodes, [&](const OnnxNode& node) { return node.doc != nodes.front().doc; });
  return static_cast<std::size_t>(end - nodes.begin());
}

void restore_operator(ImportState& state, std::span<const OnnxNode> nodes, DraftId first) {
  const OperatorMark mark = read_mark(nodes.front().doc).value();
  const std::string& output = nodes.back().outputs.front();
  TensorValue value = state.values.at(output);
  if (!value.is_active()) throw Refusal("does not depend on the network's input");
  if (elements_of(mark.output.shape) != elements_of(value.shape))
    throw Refusal("is marked with an output of another size");
  Operator op = joined(state.drafts, first, mark);
  const std::vector<DraftId> inputs = outer_inputs(state.drafts, *value.draft, first, mark.kind);
  state.drafts.truncate(first);
  value.draft = state.drafts.add(std::move(op), inputs);
  // Tensors between the operator's nodes are not visible to other nodes.
  for (const OnnxNode& node : nodes) {
    for (const std::string& inner : node.outputs) state.values.erase(inner);
  }
  state.values[output] = std::move(value);
}

}  // namespace pimsweep::workload::import
