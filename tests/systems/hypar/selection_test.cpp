#include "systems/hypar/selection.h"

#include <catch2/catch.hpp>

#include "base/error.h"

namespace pimsweep::systems::hypar {
namespace {

/// fc1, a junction, fc2.
workload::TrainingNetwork small_network() {
  workload::TrainingNode layer;
  layer.kind = workload::TrainingNode::Kind::fully_connected;
  workload::TrainingNetwork network;
  network.nodes.assign(3, layer);
  network.nodes[0].name = "fc1";
  network.nodes[1].name = "sum";
  network.nodes[1].kind = workload::TrainingNode::Kind::junction;
  network.nodes[2].name = "fc2";
  return network;
}

}  // namespace

TEST_CASE("layers and levels are set by hand, later items win") {
  search::Assignment states{0, 0, 0};
  override_states("fc1=0110 H4=11  H2=01", small_network(), 4, states);
  CHECK(search::state_text(states[0], 4) == "0011");
  CHECK(states[1] == 0);
  CHECK(search::state_text(states[2], 4) == "0101");
  override_states("", small_network(), 4, states);
  CHECK(search::state_text(states[0], 4) == "0011");
}

TEST_CASE("what is free may differ, the rest is as fixed") {
  const auto allowed = [](const std::vector<double>& forbidden, std::size_t node) {
    std::string text;
    for (std::size_t state = 0; state < 4; ++state) text += forbidden[node * 4 + state] == 0 ? '1' : '0';
    return text;
  };
  const search::Assignment fixed{1, 2, 3};
  CHECK(forbidden_states(" ", small_network(), 2, fixed).empty());
  const std::vector<double> by_layer = forbidden_states("fc1", small_network(), 2, fixed);
  CHECK(allowed(by_layer, 0) == "1111");
  CHECK(allowed(by_layer, 1) == "0010");
  CHECK(allowed(by_layer, 2) == "0001");
  const std::vector<double> by_level = forbidden_states("H2", small_network(), 2, fixed);
  CHECK(allowed(by_level, 0) == "0101");
  CHECK(allowed(by_level, 1) == "1010");
}

TEST_CASE("mistakes say what there is") {
  search::Assignment states{0, 0, 0};
  const auto says = [&](const std::string& text, const std::string& message) {
    CHECK_THROWS_WITH(override_states(text, small_network(), 2, states), Catch::Contains(message));
  };
  says("fc1", "LAYER=BITS");
  says("fc1=011", "2 digits");
  says("fc1=0x", "2 digits");
  says("H1=0", "2 digits");
  says("H3=00", "unknown layer or level 'H3'");
  says("fcl=00", "did you mean 'fc1'");
  says("sum=00", "allowed are H1, H2, fc1, fc2");
  CHECK_THROWS_AS(forbidden_states("fc3", small_network(), 2, states), PointError);
}

}  // namespace pimsweep::systems::hypar
