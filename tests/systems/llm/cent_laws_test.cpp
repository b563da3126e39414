// What must hold of CENT on any model, with any fault of its artifact fixed: times and energies grow with the context,
// more banks are never slower.
#include <array>
#include <catch2/catch.hpp>
#include <random>

#include "hardware/aim/product.h"
#include "systems/llm/cent_machine.h"
#include "systems/llm/step/cent/token.h"

using namespace pimsweep;
using namespace pimsweep::systems::llm::step::cent;

namespace {

class Dice {
 public:
  std::int64_t operator()(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random_);
  }
  bool coin() { return (*this)(0, 1) == 1; }

 private:
  std::mt19937 random_{22};
};

Shape random_shape(Dice& dice) {
  Shape shape{.kv_heads = 1 << dice(0, 5), .blocks = dice(1, 96), .head_size = 128};
  shape.heads = shape.kv_heads * dice(1, 8);
  shape.hidden = 256 * dice(1, 48);
  shape.ffn = 256 * dice(1, 120);
  shape.vocabulary = dice(1000, 200000);
  return shape;
}

struct Case {
  Shape shape;
  Machine machine;
  Layout layout;
};

Case random_case(Dice& dice) {
  Case result{.shape = random_shape(dice), .machine = test::cent_machine(1 << dice(2, 5)), .layout = {}};
  const Mapping mapping = dice.coin() ? Mapping::tensor : Mapping::pipeline;
  const std::int64_t group = mapping == Mapping::tensor ? 1 << dice(0, 2) : 1;
  REQUIRE(layout_obstacle(result.shape, result.machine, mapping, group).empty());
  result.layout = layout_of(result.shape, result.machine, mapping, group);
  return result;
}

Token token_of(const Case& on, std::int64_t context, const Faults& faults) {
  return token(on.shape, on.machine, on.layout, context, faults);
}

std::array<double, 8> parts(const TokenEnergy& energy) {
  return {energy.banks,   energy.pins,    energy.link,        energy.controllers,
          energy.standby, energy.leakage, energy.near_memory, energy.waiting};
}

}  // namespace

TEST_CASE("a longer context is never faster, and never takes less energy by our accounting") {
  Dice dice;
  for (int i = 0; i < 2000; ++i) {
    const Case on = random_case(dice);
    const std::int64_t context = dice(1, 20000);
    const std::int64_t longer = context + dice(1, 2000);
    CAPTURE(i, context, longer, on.layout.devices_of_block, on.layout.blocks_of_device);
    const Token shorter = token_of(on, context, Faults{});
    const Token after = token_of(on, longer, Faults{});
    CHECK(after.time >= shorter.time);
    CHECK(after.pim_time >= shorter.pim_time);
    CHECK(after.energy.total() >= shorter.energy.total());
    CHECK(token_of(on, longer, artifact_faults).time >= token_of(on, context, artifact_faults).time);
  }
}

TEST_CASE("a block over more devices is never slower in the banks") {
  Dice dice;
  for (int i = 0; i < 1000; ++i) {
    const Shape shape = random_shape(dice);
    const Machine machine = test::cent_machine(32);
    const std::int64_t context = dice(1, 20000);
    double before = token(shape, machine, layout_of(shape, machine, Mapping::tensor, 1), context, Faults{}).pim_time;
    for (const std::int64_t group : {2, 4, 8, 16, 32}) {
      const Layout layout = layout_of(shape, machine, Mapping::tensor, group);
      const double after = token(shape, machine, layout, context, Faults{}).pim_time;
      CHECK(after <= before);
      before = after;
    }
  }
}

TEST_CASE("parts of a token's time and energy are not negative and add up") {
  Dice dice;
  for (int i = 0; i < 500; ++i) {
    const Case on = random_case(dice);
    const std::int64_t context = dice(1, 20000);
    for (const auto& [fixed, faults] : fixes_words) {
      CAPTURE(fixed);
      const Token result = token_of(on, context, faults);
      double sum = 0;
      for (const double part : parts(result.energy)) {
        CHECK(part >= 0);
        sum += part;
      }
      CHECK(sum == Approx(result.energy.total()).epsilon(1e-12));
      CHECK(result.block_time == Approx(result.pim_time + result.link_time + result.near_memory_time));
      CHECK(result.time >= static_cast<double>(on.shape.blocks) * result.block_time);
      CHECK(result.utilization <= 1);
    }
    const Token ours = token_of(on, context, Faults{});
    CHECK(ours.power == Approx(ours.energy.total() * ours.tokens_per_second));
  }
}

TEST_CASE("no token is faster than its weights and cache pass the multipliers of the devices that hold them") {
  Dice dice;
  for (int i = 0; i < 2000; ++i) {
    const Case on = random_case(dice);
    const std::int64_t context = dice(1, 20000);
    const Shape& shape = on.shape;
    const auto matrices =
        static_cast<double>(2 * shape.hidden * (shape.query_size() + shape.key_size()) + 3 * shape.hidden * shape.ffn);
    const auto attention = static_cast<double>(context * shape.query_size());
    const double rate = on.machine.aim.clock * static_cast<double>(on.machine.aim.lanes) /
                        static_cast<double>(on.machine.aim.timing.nCCD);
    const double least = (matrices + attention) / (rate * static_cast<double>(on.layout.all_banks));
    CHECK(token_of(on, context, artifact_faults).pim_time >= least);
  }
}

TEST_CASE("CENT's models fit its devices of 16 GB, and weights and caches are held once") {
  constexpr double bytes = 16e9;
  constexpr std::int64_t context = 4096;
  const Shape shape = test::llama_2_70b();
  const Layout pipeline = layout_of(shape, test::cent_machine(32), Mapping::pipeline, 1);
  CHECK(device_bytes(shape, pipeline, context) < bytes);
  CHECK(device_bytes(shape, layout_of(shape, test::cent_machine(8), Mapping::pipeline, 1), context) > bytes);
  const Shape small = test::llama_2_7b();
  const Layout one = layout_of(small, test::cent_machine(8), Mapping::tensor, 8);
  const double weights = 2.0 * 32 * 4096 * (4 * 4096 + 3 * 11008);
  CHECK(device_bytes(small, one, 0) == Approx(weights / 8));
  CHECK(device_bytes(small, one, context) - weights / 8 == Approx(2.0 * 32 * 4096 * context * (1 + 1.0 / 8)));
}

TEST_CASE("what cannot be laid out says why") {
  Shape shape = test::llama_2_7b();
  Machine machine = test::cent_machine(8);
  CHECK(layout_obstacle(shape, machine, Mapping::tensor, 3) == "groups of 3 do not divide 8 devices");
  shape.blocks = 1000;
  CHECK(layout_obstacle(shape, machine, Mapping::pipeline, 1) == "125 blocks for the 32 channels of a device");
  shape = test::llama_2_7b();
  shape.head_size = 100;
  CHECK_FALSE(layout_obstacle(shape, machine, Mapping::pipeline, 1).empty());
  shape = test::llama_2_7b();
  machine = test::cent_machine(144);
  CHECK(layout_obstacle(shape, machine, Mapping::pipeline, 1).empty());
  machine.devices = 145;
  CHECK(layout_obstacle(shape, machine, Mapping::pipeline, 1) ==
        "144 lanes of the CXL switch for 145 devices: each needs one");
}
