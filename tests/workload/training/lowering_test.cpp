// Networks in which layers share weights.
#include "workload/training/lowering.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "workload/training/assembly.h"

namespace pimsweep::workload::training {

namespace {

/// Layers of 8 by 8 in a row, each with weights of its own or those of an earlier one.
struct Chain {
  OperatorGraph graph;
  OperatorId last = graph.add(input(), {});

  static Operator input() {
    Operator node;
    node.name = "input";
    node.output = {{1, 8}};
    return node;
  }

  void add(const std::string& name, OperatorKind kind, bool shares_weights) {
    Operator node;
    node.kind = kind;
    node.name = name;
    node.role = "fc";
    node.output = {{1, 8}};
    node.product = {1, 1, 8, 8};
    node.shares_weights = shares_weights;
    node.weights = node.parameters = shares_weights ? 0 : 64;
    last = graph.add(node, std::vector{last});
  }

  /// Variables that the training step has.
  std::int64_t parameters() const {
    Tape tape;
    LoweringOptions options;
    options.batch = 2;
    Lowering lowering(tape, options, "", true);
    const ValueIndex loss = lowering.lower(graph, last);
    return assemble(tape, loss, Layout::tensorflow).parameters();
  }
};

}  // namespace

TEST_CASE("A layer takes the weights of the only layer of its role", "[training]") {
  Chain chain;
  chain.add("a", OperatorKind::linear, false);
  chain.add("b", OperatorKind::linear, true);
  chain.add("c", OperatorKind::linear, true);
  CHECK(chain.parameters() == 64);
}

TEST_CASE("Weights are never taken from a layer that may be the wrong one", "[training]") {
  const std::string refusal = "(linear with the weights of another operator)";
  Chain two;
  two.add("a", OperatorKind::linear, false);
  two.add("b", OperatorKind::linear, false);
  two.add("c", OperatorKind::linear, true);
  CHECK_THROWS_WITH(two.parameters(), Catch::Contains("c " + refusal));
  Chain late;
  late.add("a", OperatorKind::linear, true);
  late.add("b", OperatorKind::linear, false);
  CHECK_THROWS_WITH(late.parameters(), Catch::Contains("a " + refusal));
  Chain convolutions;
  convolutions.add("a", OperatorKind::convolution, false);
  convolutions.add("b", OperatorKind::convolution, true);
  CHECK_THROWS_WITH(convolutions.parameters(), Catch::Contains("b (convolution with the weights of another operator)"));
}

}  // namespace pimsweep::workload::training
