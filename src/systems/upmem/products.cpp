#include "systems/upmem/products.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "workload/decoder/step.h"

namespace pimsweep::systems::upmem {

namespace {

namespace decoder = workload::decoder;

/// Rows of the matrices that an operator of a step is made of.
std::vector<double> parts_of(const decoder::Operator& node, const decoder::Decoder& model,
                             const decoder::AttentionShape& attention) {
  if (node.name == "qkv") {
    const double keys = attention.kv_heads * attention.key_size;
    return {attention.heads * attention.key_size, keys, keys};
  }
  const bool is_up = model.gated && node.inner == static_cast<double>(model.hidden) &&
                     node.part == decoder::Part::feed_forward && node.name.ends_with("up");
  if (is_up) return {node.columns / 2, node.columns / 2};
  return {node.columns};
}

std::size_t number_of(const Matrix& matrix, NetworkWork& work) {
  const auto known = std::ranges::find(work.matrices, matrix);
  const auto number = static_cast<std::size_t>(known - work.matrices.begin());
  if (known == work.matrices.end()) work.matrices.push_back(matrix);
  return number;
}

/// Adds a product with one matrix for each entry of `rows`; `matrix` has their other sizes.
void add_product(Product product, Matrix matrix, const std::vector<double>& rows, NetworkWork& work) {
  for (const double part : rows) {
    matrix.rows = part;
    product.parts.push_back(number_of(matrix, work));
  }
  matrix.rows = std::accumulate(rows.begin(), rows.end(), 0.0);
  product.joined = number_of(matrix, work);
  work.products.push_back(std::move(product));
}

void add_experts(const decoder::Operator& node, const decoder::Decoder& model, NetworkWork& work) {
  const double active = node.times * node.products;
  const double stored = node.times * static_cast<double>(model.experts.count);
  const std::vector<double> up(static_cast<std::size_t>(model.feed_forward_matrices() - 1), node.columns);
  add_product({"expert_up", active, stored}, {.columns = node.inner, .vectors = node.rows}, up, work);
  add_product({"expert_down", active, stored}, {.columns = node.columns, .vectors = node.rows}, {node.inner}, work);
}

NetworkWork step_of(const decoder::Decoder& model, const NetworkChoice& choice) {
  decoder::Step step;
  const std::array sequences{
      decoder::Sequences{.count = static_cast<double>(choice.batch), .context = static_cast<double>(choice.context)}};
  decoder::make_step(model, sequences, {}, 1, step);
  NetworkWork work;
  for (const decoder::Operator& node : step.operators) {
    work.cache_bytes += node.times * (node.cache_read + node.cache_written);
    if (node.kind == decoder::Kind::experts) add_experts(node, model, work);
    if (node.kind != decoder::Kind::linear && node.kind != decoder::Kind::head) continue;
    const double times = node.times * node.products;
    add_product({std::string(node.name), times, times}, {.columns = node.inner, .vectors = node.rows},
                parts_of(node, model, step.attention), work);
  }
  return work;
}

NetworkWork inference_of(const workload::OperatorGraph& graph, std::int64_t batch) {
  NetworkWork work;
  for (const workload::OperatorId id : graph.topological_order()) {
    const workload::Operator& node = graph.at(id);
    if (node.weights == 0 || node.product.macs() == 0) continue;
    const auto groups = static_cast<double>(node.product.batch);
    const double stored = node.shares_weights ? 0 : groups;
    const Matrix matrix{.rows = static_cast<double>(node.product.columns),
                        .columns = static_cast<double>(node.product.inner),
                        .vectors = static_cast<double>(node.product.rows) * static_cast<double>(batch)};
    const auto known = std::ranges::find_if(
        work.products, [&](const Product& product) { return work.matrices[product.joined] == matrix; });
    if (known != work.products.end()) {
      known->times += groups;
      known->stored += stored;
    } else {
      add_product({node.name, groups, stored}, matrix, {matrix.rows}, work);
    }
  }
  return work;
}

}  // namespace

NetworkWork work_of(const workload::ModelLibrary& models, const NetworkChoice& choice) {
  NetworkWork work;
  if (models.family(choice.model) == "decoder") {
    if (choice.size.image_px != 0) throw PointError("image_px is set, but the model generates text");
    work = step_of(models.decoder(choice.model), choice);
  } else {
    work = inference_of(models.graph(choice.model, models.input_size(choice.model, choice.size)), choice.batch);
  }
  if (work.products.empty()) throw PointError(fmt::format("{} has no matrices", choice.model));
  return work;
}

}  // namespace pimsweep::systems::upmem
