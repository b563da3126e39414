#include <catch2/catch.hpp>
#include <random>

#include "systems/hypar/partition.h"
#include "systems/hypar/step.h"
#include "workload/model_library.h"

namespace pimsweep::systems::hypar {
namespace {

const workload::ModelLibrary& library() {
  static const workload::ModelLibrary models("configs/models");
  return models;
}

workload::TrainingNetwork network_of(const std::string& model) {
  return workload::training_network(library().graph(model, library().default_image_px(model)));
}

double total(const workload::TrainingNetwork& network, std::int64_t batch, int levels,
             const search::Assignment& assignment, const Accounting& accounting = {}) {
  return StepVolumes(network, TensorBytes(network, batch, 4, accounting), levels, assignment).total();
}

search::Assignment random_assignment(std::mt19937_64& random, const workload::TrainingNetwork& network, int levels) {
  search::Assignment assignment(network.nodes.size());
  for (search::State& state : assignment) state = static_cast<search::State>(random() % search::state_count(levels));
  return assignment;
}

}  // namespace

TEST_CASE("Data Parallelism exchanges the weights once a pair of accelerators, in every network") {
  for (const std::string& model : library().names()) {
    const workload::TrainingNetwork network = network_of(model);
    CAPTURE(model);
    for (const int levels : {0, 1, 4, 6}) {
      const double pairs = static_cast<double>(search::state_count(levels) - 1);
      REQUIRE(total(network, 256, levels, search::Assignment(network.nodes.size(), 0)) ==
              Approx(pairs * 2 * 4 * static_cast<double>(network.weights())).epsilon(1e-12));
    }
  }
}

TEST_CASE("Table 2 and the holdings behind it") {
  CHECK(conversion(Source::convolution, false, false).both() == 0);
  CHECK(conversion(Source::convolution, false, true).forward == 0.25);
  CHECK(conversion(Source::convolution, false, true).backward == 0.25);
  CHECK(conversion(Source::convolution, true, true).forward == 0);
  CHECK(conversion(Source::convolution, true, true).backward == 0.5);
  CHECK(conversion(Source::convolution, true, false).forward == 0);
  CHECK(conversion(Source::convolution, true, false).backward == 0.5);
  // What an accelerator needs less what it holds, with batch halves and channel halves of a 2 x 2 tensor.
  CHECK(conversion(Source::junction, true, true).both() == 0);
  CHECK(conversion(Source::junction, true, false).both() == 0.5);
}

TEST_CASE("a chain of two layers at two levels, by hand") {
  // fc1: 6 -> 10, fc2: 10 -> 4, batch 8; states dp,mp and mp,dp.
  workload::TrainingNetwork network;
  workload::TrainingNode fc1;
  fc1.kind = workload::TrainingNode::Kind::fully_connected;
  fc1.weights = 60;
  fc1.output = fc1.product_output = 10;
  workload::TrainingNode fc2 = fc1;
  fc2.weights = 40;
  fc2.output = fc2.product_output = 4;
  network.nodes = {fc1, fc2};
  network.transitions = {{0, 1, 10}};
  const search::Assignment assignment{0b10, 0b01};  // bit 0 is level H1
  const StepVolumes volumes(network, TensorBytes(network, 8, 4, {}), 2, assignment);
  // H1: dW1 60, F2 8*4, dp-mp: quarter of F and E of 8*10. Elements x 2 x 4 B.
  CHECK(volumes.gradient(0, 1) == 8 * 60);
  CHECK(volumes.features(1, 1) == 8 * 32);
  CHECK(volumes.forward(0, 1) == 8 * 20);
  CHECK(volumes.backward(0, 1) == 8 * 20);
  // H2: fc1 in mp after dp: F halved in batch. fc2 in dp after mp: dW halved. mp-dp: half of E, of which dp of the
  // source has taken one half and mp of the target another.
  CHECK(volumes.features(0, 2) == 8 * 40);
  CHECK(volumes.gradient(1, 2) == 8 * 20);
  CHECK(volumes.forward(0, 2) == 0);
  CHECK(volumes.backward(0, 2) == 8 * 10);
  CHECK(volumes.pair_bytes(1) == 8 * (60 + 32 + 40));
  CHECK(volumes.pair_bytes(2) == 8 * (40 + 20 + 10));
  CHECK(volumes.total() == volumes.pair_bytes(1) + 2 * volumes.pair_bytes(2));
}

TEST_CASE("reading R: maps of the input's size, partial sums of convolutions and conversions once") {
  Accounting accounting;
  accounting.feature_maps = FeatureMaps::input_size;
  accounting.partial_sum_count = PartialSumCount::by_kind;
  accounting.conversion_count = 1;
  // conv1 makes 24 x 24 of 28 x 28 and is pooled to half, conv2 makes 8 x 8 of 12 x 12 and is pooled to half.
  const TensorBytes bytes(network_of("lenet-c"), 1, 4, accounting);
  const std::vector<double> maps{14 * 14 * 20, 6 * 6 * 50, 500, 10};
  const std::vector<double> counts{1, 1, 2, 2};
  REQUIRE(bytes.features.size() == maps.size());
  REQUIRE(bytes.transition.size() == maps.size() - 1);
  for (std::size_t layer = 0; layer < maps.size(); ++layer) {
    CHECK(bytes.features[layer] == Approx(4 * counts[layer] * maps[layer]).epsilon(1e-12));
    if (layer + 1 < maps.size()) CHECK(bytes.transition[layer] == Approx(4 * maps[layer]).epsilon(1e-12));
  }
  // A stride remains: 55 x 55 of 224 x 224 would be 56 x 56.
  const TensorBytes strided(network_of("alexnet-hypar"), 1, 4, accounting);
  CHECK(strided.transition[0] == Approx(4.0 * 56 * 56 * 48).epsilon(1e-12));
  accounting.feature_maps = FeatureMaps::unstrided;
  const TensorBytes unstrided(network_of("alexnet-hypar"), 1, 4, accounting);
  CHECK(unstrided.features[0] == Approx(4.0 * 224 * 224 * 48).epsilon(1e-12));
  accounting.converted_maps = ConvertedMaps::pooled;
  CHECK(TensorBytes(network_of("lenet-c"), 1, 4, accounting).transition[1] == Approx(4.0 * 4 * 4 * 50).epsilon(1e-12));
}

TEST_CASE("lines of Table 2 may count otherwise than all others") {
  Accounting accounting;
  accounting.mp_dp_count = 1;
  accounting.mp_mp_connected_count = 0;
  const auto exchanged = [&](Source source, bool from, bool to) {
    return transition_bytes(8, source, accounting, from ? 1U : 0U, to ? 1U : 0U, 1).both();
  };
  CHECK(exchanged(Source::convolution, false, true) == 8);
  CHECK(exchanged(Source::convolution, true, false) == 4);
  CHECK(exchanged(Source::convolution, true, true) == 8);
  CHECK(exchanged(Source::fully_connected, true, true) == 0);
  CHECK(exchanged(Source::fully_connected, true, false) == 4);
}

TEST_CASE("the search's cost of an assignment is the step's volume") {
  std::mt19937_64 random(3);
  for (const std::string model : {"lenet-c", "vgg-a", "resnet-50", "swin-t"}) {
    const workload::TrainingNetwork network = network_of(model);
    for (const ConversionShape shape : {ConversionShape::source, ConversionShape::target}) {
      for (const int levels : {1, 2, 4}) {
        Accounting accounting;
        accounting.conversion_shape = shape;
        accounting.conversion_count = levels == 2 ? 1 : 2;
        if (levels == 4) accounting.mp_mp_connected_count = 0;
        if (levels == 1) accounting.mp_dp_count = 1;
        const TensorBytes bytes(network, 64, 4, accounting);
        const CostTables tables(levels, pairs_of_levels(levels), accounting);
        search::AssignmentProblem problem;
        state_problem(network, bytes, tables, {}, problem);
        for (int round = 0; round < 5; ++round) {
          const search::Assignment assignment = random_assignment(random, network, levels);
          REQUIRE(problem.total(assignment) ==
                  Approx(total(network, 64, levels, assignment, accounting)).epsilon(1e-12));
        }
      }
    }
  }
}

TEST_CASE("HyPar is Algorithm 1 at each level on what the levels above have left, and never beats the optimum") {
  search::AssignmentSolver solver;
  for (const std::string model : {"sfc", "sconv", "lenet-c", "cifar-c", "alexnet", "vgg-e", "resnet-50"}) {
    const workload::TrainingNetwork network = network_of(model);
    for (const std::int64_t batch : {2, 256, 4096}) {
      const TensorBytes bytes(network, batch, 4, {});
      HierarchicalPartition partition;
      search::Assignment greedy;
      partition.run(network, bytes, 4, greedy);
      // Level by level: of all ways to change one level of the greedy choice, none has fewer bytes at that level.
      const StepVolumes volumes(network, bytes, 4, greedy);
      for (int level = 1; level <= 4; ++level) {
        for (std::size_t node = 0; node < greedy.size(); ++node) {
          search::Assignment changed = greedy;
          changed[node] ^= search::State{1} << (level - 1);
          REQUIRE(volumes.pair_bytes(level) <= StepVolumes(network, bytes, 4, changed).pair_bytes(level) * (1 + 1e-12));
        }
      }
      const CostTables tables(4, pairs_of_levels(4), {});
      search::AssignmentProblem problem;
      state_problem(network, bytes, tables, {}, problem);
      search::Assignment optimum;
      const double least = solver.solve(problem, optimum);
      CAPTURE(model, batch);
      REQUIRE(total(network, batch, 4, optimum) == Approx(least).epsilon(1e-12));
      REQUIRE(least <= volumes.total() * (1 + 1e-12));
      REQUIRE(least <= total(network, batch, 4, search::Assignment(network.nodes.size(), 0)) * (1 + 1e-12));
      REQUIRE(least <=
              total(network, batch, 4, search::Assignment(network.nodes.size(), search::all_model(4))) * (1 + 1e-12));
    }
  }
}

TEST_CASE("the optimum of Lenet-c is that of all 65,536 assignments; one level greedy is optimal") {
  const workload::TrainingNetwork network = network_of("lenet-c");
  const TensorBytes bytes(network, 256, 4, {});
  const CostTables tables(4, pairs_of_levels(4), {});
  search::AssignmentProblem problem;
  state_problem(network, bytes, tables, {}, problem);
  REQUIRE(problem.assignments() == 65536);
  search::Assignment tried;
  search::Assignment found;
  CHECK(search::AssignmentSolver().solve(problem, found) == Approx(search::enumerate(problem, tried)).epsilon(1e-12));
  CHECK(problem.total(found) == Approx(problem.total(tried)).epsilon(1e-12));
  search::Assignment greedy;
  HierarchicalPartition().run(network, bytes, 1, greedy);
  const CostTables one(1, pairs_of_levels(1), {});
  state_problem(network, bytes, one, {}, problem);
  CHECK(problem.total(greedy) == Approx(search::enumerate(problem, tried)).epsilon(1e-12));
}

}  // namespace pimsweep::systems::hypar
