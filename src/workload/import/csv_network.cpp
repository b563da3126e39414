#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "base/plural.h"
#include "workload/graph_builder.h"
#include "workload/import/formats.h"
#include "workload/import/layer_table.h"

namespace pimsweep::workload::import {

namespace {

/// Increment it when a change alters the operator graph of an unchanged table.
constexpr int layer_table_version = 1;

using Extents = std::vector<std::int64_t>;

/// Input extents as stated in a row.
Extents row_input(const TableConvolution& layer) { return {layer.map.height, layer.map.width, layer.channels}; }

Extents row_input(const TableProduct& layer) {
  const auto& [batch, rows, inner, columns] = layer.product;
  return batch == 1 && layer.has_weights ? Extents{rows, inner} : Extents{batch, rows, inner};
}

Extents row_input(const TableLayer& layer) {
  return std::visit([](const auto& described) { return row_input(described); }, layer.layer);
}

/// Chains the rows. Layers that a table leaves out between two rows, such as pooling, become data movements.
class TableGraph {
 public:
  explicit TableGraph(const std::vector<TableLayer>& layers) : layers_(layers) {
    names_.reserve(3 * layers.size());
    for (const TableLayer& layer : layers) names_.insert(layer.name);
  }

  OperatorGraph build() {
    builder_.call_next(own_name("input"));
    last_ = builder_.input(row_input(layers_.front()), "input");
    for (const TableLayer& layer : layers_) {
      last_ = std::visit([&](const auto& described) { return append(layer.name, described); }, layer.layer);
    }
    return builder_.take();
  }

 private:
  OperatorId append(const std::string& name, const TableConvolution& layer) {
    const Extent output = layer.output();
    // A window has one stride. If the row has two, the input map is cropped to the positions that are read.
    const std::int64_t stride = std::min(layer.stride.height, layer.stride.width);
    const auto reach = [&](std::int64_t positions, std::int64_t side) { return (positions - 1) * stride + side; };
    const Extents read{reach(output.height, layer.kernel.height), reach(output.width, layer.kernel.width),
                       layer.channels};
    const OperatorId input = bring(row_input(layer), read, name + ".input");
    builder_.call_next(name);
    return builder_.convolution(input, layer.outputs, {layer.kernel, stride, 0, layer.groups}, "conv", false);
  }

  OperatorId append(const std::string& name, const TableProduct& layer) {
    const auto& [batch, rows, inner, columns] = layer.product;
    const OperatorId left = bring(row_input(layer), row_input(layer), name + ".input");
    if (layer.has_weights) {
      builder_.call_next(name);
      return builder_.linear(left, columns, "fc", false);
    }
    const OperatorId right = bring({batch, inner, columns}, {batch, inner, columns}, name + ".right");
    builder_.call_next(name);
    return builder_.matmul(left, right, "matmul");
  }

  /// Turns the last output into the tensor that a row reads. `given` holds the extents stated in the row: if the last
  /// output has others, the table leaves out a layer in between.
  OperatorId bring(const Extents& given, const Extents& read, const std::string& name) {
    const Tensor& output = builder_.output(last_);
    if (output.shape == read) return last_;
    const bool follows = output.shape == given;
    const Extents& shape = output.shape;
    const bool grows =
        shape.size() == 3 && read.size() == 3 && read[0] >= shape[0] && read[1] >= shape[1] && read[2] == shape[2];
    const bool same_size = output.elements() == Tensor{read}.elements();
    const OperatorKind kind = grows ? OperatorKind::pad : same_size ? OperatorKind::reshape : OperatorKind::gather;
    builder_.call_next(own_name(name));
    return builder_.move(kind, last_, read, follows ? window_input_role : not_in_table_role);
  }

  std::string own_name(const std::string& wanted) {
    std::string name = wanted;
    for (int use = 2; !names_.insert(name).second; ++use) name = fmt::format("{}.{}", wanted, use);
    return name;
  }

  const std::vector<TableLayer>& layers_;
  GraphBuilder builder_;
  OperatorId last_ = 0;
  std::unordered_set<std::string> names_;
};

/// Network whose sizes are all fixed by its table.
class LayerTable final : public families::Architecture {
 public:
  explicit LayerTable(std::vector<TableLayer> layers) : layers_(std::move(layers)) {}

  std::int64_t min_input_size() const override { return size(); }
  std::int64_t max_input_size() const override { return size(); }
  OperatorGraph graph(std::int64_t /*size*/) const override { return TableGraph(layers_).build(); }

 private:
  /// The height of the first map; 1 for matrices.
  std::int64_t size() const {
    const auto* first = std::get_if<TableConvolution>(&layers_.front().layer);
    return first == nullptr ? 1 : first->map.height;
  }

  std::vector<TableLayer> layers_;
};

}  // namespace

Model read_csv_network(const std::string& kept, const NetworkSource& source) {
  require_no_model_name(source);
  ProblemList problems;
  std::vector<std::string> headings;
  std::vector<TableLayer> layers = read_layer_table(kept, source.path, headings, problems);
  problems.throw_if_any();
  std::string content = fmt::format("layer-table {}\n", layer_table_version);
  Count metadata_bits = 0;
  for (const TableLayer& layer : layers) {
    content += layer.text();
    metadata_bits += layer.metadata_bits;
  }
  Model model;
  if (!headings.empty()) {
    constexpr std::size_t shown = 3;
    const auto end = headings.begin() + static_cast<std::ptrdiff_t>(std::min(shown, headings.size()));
    model.notes.push_back(fmt::format("{} without sizes taken as headings: {}{}", count_of(headings.size(), "row"),
                                      fmt::join(headings.begin(), end, ", "), headings.size() > shown ? ", ..." : ""));
  }
  if (metadata_bits > 0) {
    model.notes.push_back(
        fmt::format("sparse layers as products of the weights that are not zero, whose places take {} "
                    "bytes more",
                    (metadata_bits + 7) / 8));
  }
  model.family = "layer-table";
  model.content = hash128(content);
  model.architecture = std::make_shared<LayerTable>(std::move(layers));
  model.default_size = model.architecture->min_input_size();
  return model;
}

}  // namespace pimsweep::workload::import
