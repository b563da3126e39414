#include <fmt/format.h>

#include <map>

#include "commands/model_view.h"

namespace pimsweep::commands {

namespace {

using workload::OperatorKind;

std::string graphviz_text(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    result += letter;
  }
  return result + '"';
}

/// Products, pooling and what normalizes or maps each element stand out from what moves data.
std::string_view color_of(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::linear:
    case OperatorKind::matmul:
    case OperatorKind::convolution:
    case OperatorKind::transposed_convolution:
      return "#c6dbef";
    case OperatorKind::layer_norm:
    case OperatorKind::batch_norm:
    case OperatorKind::response_norm:
    case OperatorKind::softmax:
    case OperatorKind::activation:
      return "#e5f5e0";
    case OperatorKind::add:
    case OperatorKind::multiply:
    case OperatorKind::max_pool:
    case OperatorKind::average_pool:
    case OperatorKind::global_pool:
      return "#fee6ce";
    case OperatorKind::input:
    case OperatorKind::embedding:
      return "#ffffff";
    default:
      return "#eeeeee";
  }
}

/// Role, kind where the role does not tell it, window and output.
std::string label_of(const workload::Operator& node) {
  std::string label = node.role;
  if (node.role != workload::name_of(node.kind)) label += fmt::format(" ({})", workload::name_of(node.kind));
  if (has_window(node)) label += fmt::format(" {}x{}", node.window.kernel.height, node.window.kernel.width);
  return label + "\n" + shape_text(node.output);
}

/// The label with its line break as Graphviz wants it.
std::string quoted_label(const workload::Operator& node) {
  std::string text = graphviz_text(label_of(node));
  const std::size_t line = text.rfind('\n');
  return text.replace(line, 1, "\\n");
}

std::string node_text(workload::OperatorId id, const workload::Operator& node, std::string_view indent) {
  return fmt::format("{}n{} [label={}, tooltip={}, fillcolor=\"{}\"];\n", indent, id, quoted_label(node),
                     graphviz_text(node.name), color_of(node.kind));
}

/// Operators by stage and block.
using Clusters = std::map<std::int64_t, std::map<std::int64_t, std::string>>;

std::string clusters_text(const Clusters& clusters) {
  std::string text;
  for (const auto& [stage, blocks] : clusters) {
    if (stage != 0) text += fmt::format("  subgraph cluster_{} {{\n    label=\"stage {}\";\n", stage, stage);
    for (const auto& [block, nodes] : blocks) {
      if (block != 0) {
        text += fmt::format("    subgraph cluster_{}_{} {{\n      label=\"block {}\";\n", stage, block, block);
      }
      text += nodes;
      if (block != 0) text += "    }\n";
    }
    if (stage != 0) text += "  }\n";
  }
  return text;
}

}  // namespace

std::string model_dot(const ModelView& view) {
  Clusters clusters;
  std::string edges;
  for (workload::OperatorId id = 0; id < view.operators.size(); ++id) {
    const OperatorView& seen = view.operators[id];
    const std::string_view indent = seen.node->block != 0 ? "      " : seen.node->stage != 0 ? "    " : "  ";
    clusters[seen.node->stage][seen.node->block] += node_text(id, *seen.node, indent);
    for (const workload::OperatorId source : seen.inputs) edges += fmt::format("  n{} -> n{};\n", source, id);
  }
  return fmt::format(
      "digraph {} {{\n  label={};\n  labelloc=t;\n  fontname=\"sans-serif\";\n  color=\"#888888\";\n"
      "  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\", fontsize=11, height=0.3];\n"
      "  edge [color=\"#555555\", arrowsize=0.6];\n{}{}}}\n",
      graphviz_text(view.name), graphviz_text(fmt::format("{}, input size {}", view.name, view.input_size)),
      clusters_text(clusters), edges);
}

}  // namespace pimsweep::commands
