// What holds for every training graph, whatever the network.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

#include "base/error.h"
#include "training_steps.h"
#include "workload/training/gradients.h"
#include "workload/training/shape_rules.h"

namespace pimsweep::workload::training {

namespace {

using enum OperationType;

bool is_product(training::OperationType type) {
  return type == MatMul || type == BatchMatMul || type == Conv2D || type == Conv2DBackpropFilter ||
         type == Conv2DBackpropInput;
}

std::int64_t product_macs(const training::TrainingGraph& graph) {
  std::int64_t macs = 0;
  for (const training::TrainingOperation& operation : graph.operations()) {
    if (is_product(operation.type)) macs += operation.work.multiplications;
  }
  return macs;
}

/// Multiply-accumulates of the products that read what the network is given, in one forward pass of the batch.
std::int64_t first_layer_macs(const training::TrainingStep& step) {
  const OperatorGraph forward = models().graph(step.model, models().default_image_px(step.model));
  std::int64_t macs = 0;
  for (OperatorId id = 0; id < forward.size(); ++id) {
    if (forward.at(id).macs() == 0) continue;
    // Through views and copies, to an input.
    OperatorId source = id;
    while (forward.at(source).macs() == 0 || source == id) {
      const std::vector<OperatorId> before = forward.predecessors(source);
      if (before.empty()) break;
      source = before.front();
    }
    if (forward.at(source).kind == OperatorKind::input) macs += forward.at(id).macs();
  }
  return macs * step.batch;
}

/// Checks what every graph has to keep.
void check_laws(const training::TrainingGraph& graph) {
  const std::vector<training::TrainingOperation>& operations = graph.operations();
  std::vector<int> written(graph.values().size(), 0);
  std::map<training::OperationIndex, int> updates;
  std::int64_t trained = 0;
  for (training::OperationIndex i = 0; i < graph.size(); ++i) {
    const training::TrainingOperation& operation = operations[i];
    const auto before = graph.predecessors(i);
    const std::set<training::OperationIndex> waits(before.begin(), before.end());
    REQUIRE(waits.size() == before.size());
    REQUIRE((before.empty() || *waits.rbegin() < i));
    std::int64_t input_bytes = 0;
    for (const training::ValueIndex value : graph.inputs(i)) {
      // Written before it is read, and the reader waits for that.
      REQUIRE(written[value] == 1);
      REQUIRE(waits.contains(graph.values()[value].producer));
      input_bytes += graph.values()[value].bytes();
    }
    std::int64_t output_bytes = 0;
    for (training::ValueIndex value = operation.first_output; value < operation.first_output + operation.outputs;
         ++value) {
      ++written[value];
      REQUIRE(graph.values()[value].producer == i);
      output_bytes += graph.values()[value].bytes();
    }
    for (const training::OperationIndex next : graph.successors(i)) {
      const auto back = graph.predecessors(next);
      REQUIRE(std::find(back.begin(), back.end(), i) != back.end());
    }
    // Nothing is read that is not there; sources and views move nothing.
    REQUIRE(operation.bytes_read <= input_bytes + 8);
    REQUIRE(operation.parameter_bytes <= operation.bytes_read);
    if (training::is_source(operation.type) || training::is_view(operation.type)) REQUIRE(operation.bytes_written == 0);
    if (is_product(operation.type)) {
      REQUIRE(operation.bytes_read == input_bytes);
      REQUIRE(operation.bytes_written == output_bytes);
      REQUIRE(operation.work.additions < operation.work.multiplications);
    }
    if (training::is_parameter_update(operation.type)) {
      const training::OperationIndex variable = graph.values()[graph.inputs(i)[0]].producer;
      REQUIRE(operations[variable].type == VariableV2);
      ++updates[variable];
      trained += graph.values()[graph.inputs(i)[0]].shape.elements();
      // In place: every reader of the variable has ended.
      for (const training::OperationIndex reader : graph.successors(variable))
        REQUIRE((reader == i || waits.contains(reader)));
    }
  }
  for (const int count : written) REQUIRE(count == 1);
  for (const auto& [variable, count] : updates) REQUIRE(count == 1);
  REQUIRE(trained == graph.parameters());
}

}  // namespace

TEST_CASE("training graphs keep their laws", "[training]") {
  for (const std::string& name : steps().names()) {
    INFO(name);
    check_laws(graph_of(name));
  }
}

TEST_CASE("every model has a training graph or is refused", "[training]") {
  std::size_t trained = 0;
  for (const std::string& name : models().names()) {
    INFO(name);
    training::TrainingStep step = steps().find(name);
    step.optimizer = training::Optimizer::adam;
    step.layout = training::Layout::mkl;
    step.fused_batch_norm = false;
    try {
      check_laws(training::training_graph(models(), step));
      ++trained;
    } catch (const PointError& error) {
      CHECK(std::string(error.what()).size() > 20);
    }
  }
  CHECK(trained > 20);
}

TEST_CASE("inference is the products of the operator graph, or the operator without operations is named",
          "[training]") {
  std::size_t run = 0;
  for (const std::string& name : models().names()) {
    INFO(name);
    training::TrainingStep step = steps().find(name + ":inference");
    step.batch = 3;
    const OperatorGraph forward = models().graph(name, models().default_image_px(name));
    try {
      const training::TrainingGraph graph = training::training_graph(models(), step);
      ++run;
      CHECK(product_macs(graph) == step.batch * forward.macs());
      for (const training::TrainingOperation& operation : graph.operations())
        REQUIRE_FALSE(training::is_update(operation.type));
    } catch (const PointError& error) {
      CHECK_THAT(error.what(), Catch::Contains("("));
    }
  }
  CHECK(run > 40);
}

TEST_CASE("a Transformer is trained with three products for each of its own", "[training]") {
  training::TrainingStep step = steps().find("bert-base");
  step.batch = 2;
  const training::TrainingGraph graph = training::training_graph(models(), step);
  const OperatorGraph forward = models().graph("bert-base", models().default_image_px("bert-base"));
  CHECK(product_macs(graph) == 3 * step.batch * forward.macs());
  CHECK(graph.parameters() == forward.parameters());
  constexpr std::size_t blocks = 12;
  CHECK(graph.count(Softmax) == blocks);
  CHECK(graph.count(BatchMatMul) == 3 * 2 * blocks);
}

TEST_CASE("operands spread over one another as in numpy", "[training]") {
  CHECK(training::broadcast({4, 1}, {3}) == training::Shape{4, 3});
  CHECK(training::broadcast({2, 1, 5}, {7, 1}) == training::Shape{2, 7, 5});
  CHECK(training::broadcast({}, {6, 2}) == training::Shape{6, 2});
  CHECK_THROWS_AS(training::broadcast({4, 2}, {3}), std::logic_error);
}

TEST_CASE("all parameters of the model are trained", "[training]") {
  for (const std::string& name : steps().names()) {
    const training::TrainingStep step = steps().find(name);
    INFO(name);
    const std::string trained = step.trains_adversary ? step.adversary : step.model;
    CHECK(training::training_graph(models(), step).parameters() ==
          models().graph(trained, models().default_image_px(trained)).parameters());
  }
}

TEST_CASE("the backward products are twice the forward ones, less the gradient of the input", "[training]") {
  for (const char* name : {"heteropim-vgg-19", "heteropim-alexnet", "heteropim-resnet-50", "heteropim-inception-v3",
                           "rtconc-lstm", "vgg-a", "lenet-c", "resnet-6n2-50"}) {
    training::TrainingStep step = steps().find(name);
    step.gate_gradients = false;
    INFO(name);
    const OperatorGraph forward = models().graph(step.model, models().default_image_px(step.model));
    // Of a language model the table of words is trained below the first layer.
    const bool embedded = forward.parameters() != forward.weights() && models().family(step.model) == "lstm";
    const std::int64_t spared = embedded ? 0 : first_layer_macs(step);
    CHECK(product_macs(training::training_graph(models(), step)) == 3 * forward.macs() * step.batch - spared);
    // With gates the input's gradient is computed as well.
    step.gate_gradients = true;
    CHECK(product_macs(training::training_graph(models(), step)) == 3 * forward.macs() * step.batch);
  }
}

TEST_CASE("a step grows with its batch", "[training]") {
  training::TrainingStep step = steps().find("heteropim-resnet-50");
  const training::TrainingGraph large = training::training_graph(models(), step);
  step.batch /= 4;
  const training::TrainingGraph small = training::training_graph(models(), step);
  REQUIRE(large.size() == small.size());
  for (training::OperationIndex i = 0; i < large.size(); ++i) {
    REQUIRE(large.at(i).type == small.at(i).type);
    if (is_product(large.at(i).type)) REQUIRE(large.at(i).work.multiplications == 4 * small.at(i).work.multiplications);
    // What does not depend on the batch is read once for it.
    REQUIRE(large.at(i).parameter_bytes == small.at(i).parameter_bytes);
    if (training::is_update(large.at(i).type)) REQUIRE(large.at(i).work == small.at(i).work);
  }
}

TEST_CASE("MKL's layout adds conversions and nothing else", "[training]") {
  training::TrainingStep step = steps().find("rtconc-inception-v3");
  const training::TrainingGraph mkl = training::training_graph(models(), step);
  step.layout = training::Layout::tensorflow;
  const training::TrainingGraph plain = training::training_graph(models(), step);
  const std::size_t element_wise =
      plain.count(Add) + plain.count(Sub) + plain.count(Mul) + plain.count(Maximum) + plain.count(SquaredDifference);
  CHECK(mkl.count(InputConversion) == element_wise);
  CHECK(mkl.size() == plain.size() + mkl.count(InputConversion) + mkl.count(ToTf));
  CHECK(mkl.work() == plain.work());
}

TEST_CASE("random chains of operations have gradients of their shapes", "[training]") {
  std::mt19937 random(7);
  const auto draw = [&](std::int64_t most) {
    return 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
  };
  for (int round = 0; round < 200; ++round) {
    training::Tape tape;
    tape.enter("x");
    const std::int64_t side = 8;
    std::int64_t channels = draw(4);
    training::ValueIndex x = tape.variable("x", {draw(3), side, side, channels}, true);
    const training::Shape first = tape.shape(x);
    for (int depth = 0; depth < 6; ++depth) {
      tape.enter(fmt::format("layer{}", depth));
      const training::Shape shape = tape.shape(x);
      channels = shape.last();
      training::OperationAttributes attributes;
      attributes.window = {Extent(draw(3), draw(3)), draw(2), 1, 1};
      const Extent map = attributes.window.output({shape[1], shape[2]});
      switch (random() % 7) {
        case 0: {
          const std::int64_t outputs = draw(5);
          const training::ValueIndex filter = tape.variable(
              "w", {attributes.window.kernel.height, attributes.window.kernel.width, channels, outputs}, true);
          x = tape.add(Conv2D, {x, filter}, {shape[0], map.height, map.width, outputs}, attributes);
          break;
        }
        case 1:
          x = tape.add(MaxPool, {x}, {shape[0], map.height, map.width, channels}, attributes);
          break;
        case 2:
          x = tape.add(AvgPool, {x}, {shape[0], map.height, map.width, channels}, attributes);
          break;
        case 3:
          x = tape.binary(Mul, x, tape.variable("scale", {channels}, true));
          break;
        case 4:
          x = tape.binary(Sub, tape.variable("offset", {channels}, true), x);
          break;
        case 5:
          x = tape.add(ConcatV2, {x, tape.same(Relu, {x})}, {shape[0], shape[1], shape[2], 2 * channels});
          break;
        default:
          x = tape.binary(SquaredDifference, x, tape.reduce(Mean, x, {channels}));
          break;
      }
    }
    const training::ValueIndex loss = tape.reduce(Sum, x, {});
    // Shapes that do not fit throw.
    const std::vector<training::VariableGradient> gradients = training::record_gradients(tape, loss, round % 2 == 0);
    REQUIRE(gradients.size() == tape.trainable().size());
    for (const training::VariableGradient& gradient : gradients) {
      REQUIRE(tape.shape(gradient.gradient) == tape.shape(gradient.variable));
    }
    REQUIRE(tape.shape(gradients.front().gradient) == first);
    training::record_updates(tape, training::Optimizer::momentum, gradients);
    check_laws(training::assemble(tape, loss, round % 3 == 0 ? training::Layout::mkl : training::Layout::tensorflow));
  }
}

TEST_CASE("shapes that do not fit are refused", "[training]") {
  training::Tape tape;
  const training::ValueIndex x = tape.placeholder({4, 6});
  const training::ValueIndex w = tape.variable("w", {5, 2}, true);
  CHECK_THROWS_WITH(tape.variable("w", {2, 5}, true), Catch::Contains("(5,2) and (2,5)"));
  CHECK_THROWS_WITH(tape.matmul(x, w), Catch::Contains("MatMul") && Catch::Contains("(4,6) (5,2) -> (4,2)"));
  CHECK_THROWS_WITH(tape.binary(Add, x, w), Catch::Contains("does not broadcast to"));
}

TEST_CASE("networks without training operations are refused with their operators", "[training]") {
  CHECK_THROWS_WITH(graph_of("focal-t"), Catch::Contains("(gather)") && Catch::Contains("more"));
  CHECK_THROWS_WITH(graph_of("alexnet"), Catch::Contains("conv2 (convolution in 2 groups)"));
  CHECK_THROWS_WITH(graph_of("dcgan-mnist-generator"), Catch::Contains("needs an adversary"));
  training::TrainingStep step = steps().find("heteropim-dcgan");
  step.adversary = "vgg-a";
  CHECK_THROWS_AS(training::training_graph(models(), step), PointError);
  step = steps().find("heteropim-vgg-19");
  step.dropout = {"relu17", "relo18"};
  CHECK_THROWS_WITH(training::training_graph(models(), step), Catch::Contains("did you mean 'relu18'"));
  step.dropout.clear();
  step.model = "word2vec";
  step.loss = training::Loss::nce;
  CHECK_NOTHROW(training::training_graph(models(), step));
  step.model = "focal-t";
  CHECK_THROWS_AS(training::training_graph(models(), step), PointError);
}

}  // namespace pimsweep::workload::training
