#include "commands/model_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "workload/import/network_files.h"

namespace pimsweep::commands {

using workload::OperatorKind;

std::vector<std::string> selected_models(const workload::ModelLibrary& library, const std::vector<std::string>& names,
                                         const workload::import::ReadingOptions& options) {
  if (names.empty()) return library.names();
  std::vector<std::string> models;
  models.reserve(names.size());
  for (const std::string& name : names) {
    if (workload::import::is_network_file(name)) {
      models.push_back(workload::import::read_network_file(name, options)->name);
    } else {
      library.content(name);  // throws where there is no such model
      models.push_back(name);
    }
  }
  return models;
}

std::int64_t shown_size(const workload::ModelLibrary& library, const std::string& model,
                        const workload::InputSize& size) {
  constexpr std::int64_t usual_size = 224;
  const std::int64_t own = library.input_size(model, size);
  return own == 0 ? usual_size : own;
}

namespace {

/// Bytes that an operator reads of what it has learned.
Count learned_bytes(const workload::Operator& node, std::int64_t bytes) {
  const auto weights = [&](std::int64_t count) {
    return node.weight_bits > 0 ? Count{node.stored_words(count, 1)} : Count{count} * bytes;
  };
  if (node.kind == OperatorKind::embedding) return weights(node.output.elements());
  if (node.shares_weights) return weights(Count{node.product.batch} * node.product.inner * node.product.columns);
  return weights(node.weights) + Count{node.parameters - node.idle - node.weights} * bytes;
}

OperatorView view_operator(const workload::OperatorGraph& graph, workload::OperatorId id, std::int64_t bytes) {
  OperatorView view;
  view.node = &graph.at(id);
  view.inputs = graph.predecessors(id);
  if (view.node->kind == OperatorKind::input) return view;
  Count read = 0;
  for (const workload::Tensor& input : graph.inputs(id)) read += input.elements();
  view.bytes_read = learned_bytes(*view.node, bytes) + read * bytes;
  view.bytes_written = Count{view.node->output.elements()} * bytes;
  return view;
}

}  // namespace

std::int64_t ModelView::bytes_read() const {
  Count sum = 0;
  for (const OperatorView& view : operators) sum += view.bytes_read;
  return sum;
}

std::int64_t ModelView::bytes_written() const {
  Count sum = 0;
  for (const OperatorView& view : operators) sum += view.bytes_written;
  return sum;
}

std::pair<std::int64_t, std::int64_t> ModelView::quantized() const {
  Count weights = 0;
  Count bytes = 0;
  for (const OperatorView& view : operators) {
    const workload::Operator& node = *view.node;
    if (node.weight_bits == 0 || node.shares_weights) continue;
    const std::int64_t count = node.kind == OperatorKind::embedding ? node.parameters : node.weights + node.idle;
    weights += count;
    bytes += node.stored_words(count, 1);
  }
  return {weights, bytes};
}

double ModelView::intensity() const {
  const double bytes = static_cast<double>(bytes_read()) + static_cast<double>(bytes_written());
  return bytes == 0 ? 0 : static_cast<double>(graph.macs()) / bytes;
}

std::vector<std::pair<std::string_view, std::int64_t>> ModelView::kinds() const {
  std::map<OperatorKind, std::int64_t> counts;
  for (const OperatorView& view : operators) ++counts[view.node->kind];
  std::vector<std::pair<std::string_view, std::int64_t>> sorted;
  sorted.reserve(counts.size());
  for (const auto& [kind, count] : counts) sorted.emplace_back(workload::name_of(kind), count);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
}

ModelView view_model(const workload::ModelLibrary& library, const std::string& model, const workload::InputSize& size,
                     std::int64_t bytes_per_element) {
  try {
    ModelView view;
    view.name = model;
    view.family = library.family(model);
    if (workload::import::is_network_file(model)) view.notes = workload::import::find_network(model)->model.notes;
    view.input_size = shown_size(library, model, size);
    view.bytes_per_element = bytes_per_element;
    view.graph = library.graph(model, view.input_size);
    view.operators.reserve(view.graph.size());
    for (workload::OperatorId id = 0; id < view.graph.size(); ++id) {
      view.operators.push_back(view_operator(view.graph, id, bytes_per_element));
    }
    return view;
  } catch (const PointError& error) {
    throw InputError(error.what());
  }
}

bool has_product(const workload::Operator& node) { return node.product.batch > 0; }

bool has_window(const workload::Operator& node) {
  return node.kind == OperatorKind::convolution || node.kind == OperatorKind::transposed_convolution ||
         node.kind == OperatorKind::max_pool || node.kind == OperatorKind::average_pool;
}

std::string shape_text(const workload::Tensor& tensor) { return fmt::format("{}", fmt::join(tensor.shape, "x")); }

}  // namespace pimsweep::commands
