#include "workload/operator_graph.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <random>
#include <stdexcept>

#include "workload/graph_builder.h"

namespace pimsweep::workload {

namespace {

Operator node(OperatorKind kind, std::string name, std::vector<std::int64_t> shape) {
  Operator result;
  result.kind = kind;
  result.name = std::move(name);
  result.output.shape = std::move(shape);
  return result;
}

OperatorGraph chain(const std::function<void(Operator& linear)>& change) {
  OperatorGraph graph;
  const OperatorId in = graph.add(node(OperatorKind::input, "in", {7, 3}), {});
  Operator linear = node(OperatorKind::linear, "linear", {7, 5});
  linear.product = {1, 7, 3, 5};
  linear.weights = 15;
  linear.parameters = 20;
  change(linear);
  graph.add(linear, std::vector<OperatorId>{in});
  return graph;
}

}  // namespace

TEST_CASE("totals count GEMMs, weights and outputs", "[graph]") {
  const OperatorGraph graph = chain([](Operator&) {});
  CHECK(graph.defects().empty());
  CHECK(graph.macs() == 7 * 3 * 5);
  CHECK(graph.weights() == 15);
  CHECK(graph.parameters() == 20);
  CHECK(graph.activations() == 7 * 3 + 7 * 5);
  CHECK(graph.inputs(1) == std::vector<Tensor>{Tensor{{7, 3}}});
}

TEST_CASE("wrong shapes are defects", "[graph]") {
  CHECK(chain([](Operator& linear) { linear.product.rows = 6; }).defects().size() == 1);
  CHECK(chain([](Operator& linear) { linear.product.inner = 4; }).defects().size() == 1);
  CHECK(chain([](Operator& linear) { linear.output.shape = {7, 6}; }).defects().size() == 1);
  CHECK(chain([](Operator& linear) { linear.weights = 14; }).defects().size() == 1);
  CHECK(chain([](Operator& linear) { linear.kind = OperatorKind::activation; }).defects().size() == 1);
  CHECK(chain([](Operator& linear) { linear.kind = OperatorKind::matmul; }).defects().size() == 1);
  CHECK(chain([](Operator& linear) { linear.name = "in"; }).defects().size() == 1);
  CHECK(chain([](Operator& linear) { linear.output.shape = {0, 5}; }).defects().size() == 1);
}

TEST_CASE("a cycle is a defect and has no order", "[graph]") {
  OperatorGraph graph;
  const OperatorId in = graph.add(node(OperatorKind::input, "in", {4, 4}), {});
  const OperatorId sum = graph.add(node(OperatorKind::add, "sum", {4, 4}), std::vector<OperatorId>{in});
  const OperatorId back = graph.add(node(OperatorKind::activation, "back", {4, 4}), std::vector<OperatorId>{sum});
  CHECK(graph.defects().empty());
  graph.connect(back, sum);
  CHECK(graph.defects() == std::vector<std::string>{"the operator graph has a cycle"});
  CHECK_THROWS_AS(graph.topological_order(), std::logic_error);
  CHECK_THROWS_AS(graph.connect(back, 17), std::logic_error);
  CHECK_THROWS_AS(graph.at(17), std::out_of_range);
}

TEST_CASE("every operator comes after its predecessors", "[graph][property]") {
  std::mt19937_64 random(20240607);
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t count = 2 + random() % 60;
    OperatorGraph graph;
    for (std::size_t id = 0; id < count; ++id) graph.add(node(OperatorKind::add, std::to_string(id), {2}), {});
    // Edges along a random permutation: acyclic, but not in the order of the ids.
    std::vector<OperatorId> rank(count);
    for (std::size_t i = 0; i < count; ++i) rank[i] = i;
    std::shuffle(rank.begin(), rank.end(), random);
    for (std::size_t edge = 0; edge < 2 * count; ++edge) {
      const OperatorId a = random() % count;
      const OperatorId b = random() % count;
      if (rank[a] != rank[b]) graph.connect(rank[a] < rank[b] ? a : b, rank[a] < rank[b] ? b : a);
    }
    const std::vector<OperatorId> order = graph.topological_order();
    REQUIRE(order.size() == count);
    std::vector<std::size_t> place(count, count);
    for (std::size_t i = 0; i < count; ++i) place[order[i]] = i;
    for (OperatorId id = 0; id < count; ++id) {
      REQUIRE(place[id] < count);
      for (const OperatorId before : graph.predecessors(id)) CHECK(place[before] < place[id]);
      for (const OperatorId after : graph.successors(id)) CHECK(place[after] > place[id]);
    }
  }
}

TEST_CASE("a convolution is counted output by output", "[graph][property]") {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const std::int64_t groups = 1 + static_cast<std::int64_t>(random() % 4);
    const std::int64_t inputs = groups * (1 + static_cast<std::int64_t>(random() % 3));
    const std::int64_t outputs = groups * (1 + static_cast<std::int64_t>(random() % 3));
    const ConvolutionWindow window{1 + static_cast<std::int64_t>(random() % 5),
                                   1 + static_cast<std::int64_t>(random() % 3), static_cast<std::int64_t>(random() % 3),
                                   groups};
    const std::int64_t side = window.kernel.height + static_cast<std::int64_t>(random() % 9);
    GraphBuilder builder;
    builder.convolution(builder.input({side, side + 2, inputs}, "in"), outputs, window, "convolution");
    const OperatorGraph graph = builder.take();
    // Every position of the kernel's corner that keeps it on the padded map, for each output channel.
    std::int64_t macs = 0;
    for (std::int64_t y = -window.padding.height; y + window.kernel.height <= side + window.padding.height;
         y += window.stride) {
      for (std::int64_t x = -window.padding.height; x + window.kernel.width <= side + 2 + window.padding.width;
           x += window.stride) {
        macs += outputs * window.kernel.area() * inputs / groups;
      }
    }
    CHECK(graph.macs() == macs);
    CHECK(graph.weights() == outputs * window.kernel.area() * inputs / groups);
    CHECK(graph.defects().empty());
  }
  CHECK(ConvolutionWindow{5, 1, 0, 1}.output(4) == Extent(0));
}

}  // namespace pimsweep::workload
