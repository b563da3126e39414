// Each fault of CENT's artifact, fixed alone, moves what it is about and nothing else.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "hardware/aim/product.h"
#include "systems/llm/cent_machine.h"
#include "systems/llm/step/cent/token.h"

using namespace pimsweep;
using namespace pimsweep::systems::llm::step::cent;

namespace {

struct Place {
  std::string name;
  Mapping mapping;
  std::int64_t group;
};

const std::vector<Place> places{
    {"pipeline", Mapping::pipeline, 1}, {"alone", Mapping::tensor, 1}, {"group", Mapping::tensor, 8}};

std::array<std::pair<std::string, double>, 13> quantities(const Token& token) {
  const TokenEnergy& energy = token.energy;
  return {{{"banks-time", token.pim_time},
           {"link-time", token.link_time},
           {"near-memory-time", token.near_memory_time},
           {"embedding-time", token.embedding_time},
           {"banks", energy.banks},
           {"pins", energy.pins},
           {"link", energy.link},
           {"controllers", energy.controllers},
           {"standby", energy.standby},
           {"leakage", energy.leakage},
           {"near-memory", energy.near_memory},
           {"waiting", energy.waiting},
           {"power", token.power}}};
}

/// Quantities that differ from the artifact's token of Llama-2 70B, as "quantity quantity ...".
std::string moved(const Place& place, const Faults& faults) {
  const Machine machine = test::cent_machine(32);
  const Shape shape = test::llama_2_70b();
  const Layout layout = layout_of(shape, machine, place.mapping, place.group);
  const auto before = quantities(token(shape, machine, layout, 1001, artifact_faults));
  const auto after = quantities(token(shape, machine, layout, 1001, faults));
  std::string result;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i].second != after[i].second) result += (result.empty() ? "" : " ") + before[i].first;
  }
  return result;
}

}  // namespace

TEST_CASE("each fault of CENT's artifact, fixed alone, moves what it is about") {
  struct Moves {
    std::string fault;
    std::string pipeline;
    std::string alone;
    std::string group;
  };
  const std::string whole_device = "banks pins link controllers standby leakage near-memory power";
  const std::string commands = "banks pins controllers standby near-memory power";
  const std::string products = "banks pins controllers near-memory power";
  const std::string refreshes = "banks-time embedding-time standby leakage power";
  const std::vector<Moves> expected{{"none", "", "", ""},
                                    {"standby", "standby power", "standby power", "standby power"},
                                    {"link-elements", "link power", "link power", "link power"},
                                    {"power", "power", "power", "power"},
                                    {"transfers-within-device", "link-time", "", ""},
                                    {"transfers-of-one-device", "", "link-time link power", ""},
                                    {"multicast-rate", "link-time", "", "link-time"},
                                    {"idle-channels", commands, "", commands},
                                    {"scores", "", "", "banks pins controllers standby leakage near-memory power"},
                                    {"near-memory", "", "", "near-memory power"},
                                    {"last-device", whole_device, "", ""},
                                    {"waiting", "waiting power", "waiting power", "waiting power"},
                                    {"embedding", products, products, products},
                                    {"rounds", "near-memory-time", "near-memory-time", "near-memory-time"},
                                    {"refresh", refreshes, refreshes, refreshes},
                                    {"memory", "", "", ""}};
  REQUIRE(expected.size() + 1 == fixes_words.size());
  for (const Moves& row : expected) {
    CAPTURE(row.fault);
    const auto faults = value_of(fixes_words, row.fault);
    REQUIRE(faults.has_value());
    CHECK(moved(places[0], *faults) == row.pipeline);
    CHECK(moved(places[1], *faults) == row.alone);
    CHECK(moved(places[2], *faults) == row.group);
  }
}

TEST_CASE("fixes change results in the direction of their fault") {
  const Machine machine = test::cent_machine(32);
  const Shape shape = test::llama_2_70b();
  const auto token_with = [&](const char* word, const Place& place) {
    const Layout layout = layout_of(shape, machine, place.mapping, place.group);
    return token(shape, machine, layout, 1001, value_of(fixes_words, word).value());
  };
  for (const Place& place : places) {
    CAPTURE(place.name);
    const Token artifact = token_with("none", place);
    CHECK(token_with("standby", place).energy.standby == Approx(32 * artifact.energy.standby));
    CHECK(token_with("link-elements", place).energy.link == Approx(16 * artifact.energy.link));
    const double refresh = hardware::aim::refresh_factor(machine.aim);
    CHECK(token_with("refresh", place).pim_time == Approx(refresh * artifact.pim_time));
    CHECK(token_with("multicast-rate", place).time <= artifact.time);
    CHECK(token_with("rounds", place).time >= artifact.time);
    CHECK(token_with("waiting", place).energy.waiting > 0);
    CHECK(artifact.energy.waiting == 0);
    const Token power = token_with("power", place);
    CHECK(power.power == Approx(artifact.energy.total() * artifact.tokens_per_second));
  }
}
