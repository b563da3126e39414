#include "hardware/pim_memory/apply.h"

#include <catch2/catch.hpp>
#include <random>

#include "base/error.h"
#include "hardware/aim/product.h"
#include "hardware/aim/samples.h"
#include "hardware/attention_pim/attacc_stack.h"
#include "hardware/attention_pim/attention.h"
#include "hardware/hbm_pim/product.h"
#include "hardware/memory_rules.h"
#include "hardware/newton/counts.h"

using namespace pimsweep;
using namespace pimsweep::hardware;
using pim_memory::Conditions;

namespace {

/// HBM3 at 9.2 Gb/s in half cycles of CK, as configs/hardware/dram-HBM3E_9200.toml has it.
Conditions hbm3e() {
  Conditions conditions;
  conditions.rules = memory_rules;
  conditions.stack_channels = 16;
  dram::Dram& memory = conditions.memory;
  memory.tCK = 1 / 4.6e9;
  memory.commands.grid = 2;
  memory.organization = {.domains = 2, .groups = 4, .banks = 4, .rows = 16384, .columns = 32, .access_bytes = 32};
  dram::Timing& t = memory.timing;
  t.nBL = 4;
  t.nCL = 58;
  t.nCWL = 30;
  t.nRCDRD = 90;
  t.nRCDWR = 44;
  t.nRP = 76;
  t.nRAS = 130;
  t.nRC = 208;
  t.nWR = 96;
  t.nRTP = 26;
  t.nCCDS = 4;
  t.nCCDL = 8;
  t.nWTRL = 30;
  t.nRRDS = 12;
  t.nFAW = 70;
  t.nRFC = 1196;
  t.nREFI = 17941;
  return conditions;
}

constexpr attention_pim::Placement banks = attention_pim::Placement::bank;

attention_pim::Device stack_on(const Conditions& conditions) {
  attention_pim::Device stack = attention_pim::attacc::stack();
  pim_memory::apply(conditions, banks, stack);
  return stack;
}

aim::Device some_aim() {
  aim::Device device = test::aim_device();
  device.timing.pipeline = 20;
  return device;
}

}  // namespace

TEST_CASE("A stack of AttAcc on HBM3E has its times in cycles of CK") {
  const attention_pim::Device stack = stack_on(hbm3e());
  CHECK(stack.clock == Approx(2.3e9));
  CHECK(stack.channels == 16);
  CHECK(stack.banks_of_channel() == 64);
  CHECK(stack.nMAC == 4);
  CHECK(stack.nRCD == 45);
  CHECK(stack.nRP == 38);
  CHECK(stack.nFAW == 35);
  CHECK(stack.nRFC == 598);
  CHECK(stack.nREFI == 8970);
  // As many bytes in a second as 6 cycles of 0.769 ns allow.
  CHECK(stack.nMAC_power_limit == 11);
  Conditions narrow = hbm3e();
  narrow.stack_channels = 8;
  CHECK(stack_on(narrow).nMAC_power_limit == 6);
}

TEST_CASE("Four times tRRD_S keeps four rows apart where it is longer than tFAW") {
  Conditions conditions = hbm3e();
  conditions.memory.timing.nRRDS = 20;
  CHECK(stack_on(conditions).nFAW == 40);
  conditions.memory.timing.nFAW = 0;
  CHECK(stack_on(conditions).nFAW == 0);
}

TEST_CASE("AiM on HBM3E keeps the times of its own circuits and its energy by byte") {
  aim::Device device = some_aim();
  pim_memory::apply(hbm3e(), device);
  CHECK(device.timing.nRCD == 45 + 23);
  CHECK(device.timing.mode_change == 37);
  CHECK(device.timing.opening == 3 * 35);
  CHECK(device.banks == 32);
  CHECK(device.row_elements == 512);
  // Rows of half as many bytes; columns of all banks, of which there are twice as many.
  CHECK(device.power.activate == Approx(some_aim().power.activate / 2));
  CHECK(device.power.multiply == Approx(2 * some_aim().power.multiply));
}

TEST_CASE("HBM-PIM on HBM3E takes the rule for a write after a read") {
  hbm_pim::Device device{.clock = 1e9, .channels = 64, .banks = 16, .units = 8, .lanes = 16};
  pim_memory::apply(hbm3e(), device);
  CHECK(device.timing.read_to_write() == 17);
  CHECK(device.units == 8);
  CHECK(device.row_bursts == 32);
}

TEST_CASE("Newton on HBM3E opens four banks of each pseudo-channel at a time") {
  newton::Dram dram{
      .clock = 875e6, .banks = 16, .banks_per_activation = 4, .columns = 32, .lanes = 16, .energy = {.row_read = 2e-9}};
  pim_memory::apply(hbm3e(), 16, dram);
  CHECK(dram.activations() == 4);
  CHECK(dram.nCCD == 4);
  CHECK(dram.energy.row_read == 2e-9);
}

TEST_CASE("Without a memory, at a rate of 1 and without a power limit, devices stay as they are") {
  const attention_pim::Device stack = stack_on({});
  CHECK(stack.nMAC_power_limit == 6);
  CHECK(stack.nREFI == 5070);
  aim::Device device = some_aim();
  pim_memory::apply({}, device);
  CHECK(device.timing.nCCD == 2);
  CHECK(device.timing.nREFI == 3333);
}

TEST_CASE("A power limit sets the pace of multiplications, and never their energy") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> watts(5, 100);
  const attention_pim::AttentionShape shape{.heads = 100, .context = 2000, .head_size = 128};
  const auto energy_of = [&](const attention_pim::Device& stack) {
    return attention_pim::attention(stack, shape).energy.total();
  };
  for (int trial = 0; trial < 100; ++trial) {
    Conditions conditions;
    if (trial % 2 == 0) conditions = hbm3e();
    conditions.power_limit = watts(random);
    const attention_pim::Device stack = stack_on(conditions);
    const attention_pim::AttentionShape one{.heads = 1, .context = 1, .head_size = 1};
    const attention_pim::AttentionEnergy mac = attention_pim::energy(stack, banks, one, {.mac = 1});
    // All multipliers of a stack, whose channels multiply at once.
    const double multiply = static_cast<double>(stack.units(banks) * stack.column_bytes) / 2 * stack.energy.multiply;
    const double power = 16 * (mac.cells + multiply) * stack.clock / static_cast<double>(stack.nMAC_power_limit);
    CHECK(power <= conditions.power_limit * (1 + 1e-6));
    CHECK((stack.nMAC_power_limit == stack.nMAC ||
           power * static_cast<double>(stack.nMAC_power_limit) >
               conditions.power_limit * static_cast<double>(stack.nMAC_power_limit - 1)));
    conditions.power_limit = 0;
    conditions.refresh_rate = 2;
    CHECK(energy_of(stack) == energy_of(stack_on(conditions)));
  }
}

TEST_CASE("A limit that allows no pace and rules that cannot be read are refused") {
  aim::Device device = some_aim();
  Conditions conditions;
  conditions.power_limit = 1e-9;
  CHECK_THROWS_WITH(pim_memory::apply(conditions, device), Catch::Contains("allows less than one in 1e+06 clocks"));
  conditions = hbm3e();
  conditions.rules = "bank | RD";
  CHECK_THROWS_AS(pim_memory::apply(conditions, device), PointError);
}
