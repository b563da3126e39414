#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "base/error.h"
#include "hardware/dram/controller.h"
#include "hardware/dram/simulation.h"
#include "hardware/noc/router/traffic_estimate.h"
#include "systems/allspark/allspark_points.h"
#include "systems/allspark/cycle/phase_simulator.h"
#include "systems/allspark/cycle/sustained_phases.h"
#include "systems/allspark/cycle/tile_runs.h"
#include "systems/allspark/machine.h"

using namespace pimsweep::hardware::pe_array;
using namespace pimsweep::systems::allspark::cycle;
using namespace pimsweep::systems::allspark;
using namespace pimsweep::systems;
using namespace pimsweep;
namespace dram = pimsweep::hardware::dram;

namespace {

/// Allspark's bank, Table IV, at 400 MHz (configs/hardware/dram-Allspark_400MHz_1bank.toml).
dram::Dram table_iv_bank() {
  dram::Dram bank;
  bank.constraints = bank_constraints();
  bank.tCK = 2.5e-9;
  dram::Timing& timing = bank.timing;
  timing.nBL = timing.nCCDS = timing.nCCDL = 1;
  timing.nCL = timing.nRCDRD = timing.nRCDWR = timing.nRP = 8;
  timing.nRAS = 16;
  timing.nRC = 24;
  timing.nCWL = timing.nWR = 6;
  timing.nRTP = timing.nWTRS = timing.nWTRL = 3;
  timing.nRFC = 72;
  timing.nREFI = 1561;
  bank.organization.rows = 8192;
  bank.organization.columns = 64;
  bank.organization.access_bytes = 16;
  return bank;
}

std::int64_t draw(std::mt19937_64& random, std::int64_t min, std::int64_t max) {
  return std::uniform_int_distribution<std::int64_t>(min, max)(random);
}

/// A ring of neighbors in a line.
RingProgram ring(std::int64_t nodes, std::int64_t steps) {
  RingProgram program{
      hardware::noc::router::Lattice(hardware::noc::router::Topology::mesh, static_cast<unsigned>(nodes), 1),
      {},
      steps};
  for (std::int64_t i = 0; i < nodes; ++i) {
    program.hops.push_back(
        {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>((i + 1) % nodes), (i + nodes - 1) % nodes});
  }
  return program;
}

}  // namespace

TEST_CASE("the runs of a GEMM are the words that its mapping says, and end with all of Z written") {
  std::mt19937_64 random(1);
  std::array<int, 4> seen{};
  for (int i = 0; i < 150; ++i) {
    const hardware::pe_array::Gemm gemm{draw(random, 1, 300), draw(random, 1, 300), draw(random, 1, 300)};
    hardware::pe_array::PeArray array{draw(random, 1, 16), draw(random, 1, 16), 0, 4};
    array.buffer_words = array.min_buffer_words() + draw(random, 0, 20000);
    const hardware::pe_array::GemmMapping mapping = map_gemm(gemm, array);
    ++seen[static_cast<std::size_t>(mapping.stationary)];
    std::int64_t words = 0;
    const std::array<std::int64_t, 3> sizes{gemm.m * gemm.k, gemm.k * gemm.n, gemm.m * gemm.n};
    std::array<std::vector<char>, 3> touched;
    for (std::size_t operand = 0; operand < 3; ++operand)
      touched[operand].resize(static_cast<std::size_t>(sizes[operand]));
    for_each_run(gemm, mapping, [&](const TileRun& run) {
      words += run.words;
      REQUIRE(run.first + run.words <= sizes[run.operand]);
      if (run.operand == TileRun::z && !run.write) return true;
      const auto first = touched[run.operand].begin() + run.first;
      std::fill(first, first + run.words, 1);
      return true;
    });
    CHECK(words == mapping.dram_words);
    for (const std::vector<char>& operand : touched) CHECK(std::count(operand.begin(), operand.end(), 0) == 0);
  }
  // Every order of loops was among them.
  CHECK(*std::min_element(seen.begin(), seen.end()) > 0);
}

TEST_CASE("a node's DRAM is never faster than its peak, and long streams go on at the pace of their beginning") {
  std::mt19937_64 random(2);
  NodeDram node(table_iv_bank(), 1, 1);
  double before = 0;
  for (std::int64_t words = 1; words < 40000; words += draw(random, 1, 4000)) {
    for (const bool write : {false, true}) CHECK(node.stream_cycles(words, write) >= static_cast<double>(words) / 16);
    CHECK(node.stream_cycles(words, false) >= before);
    before = node.stream_cycles(words, false);
  }
  // With refresh, in full.
  dram::Traffic traffic;
  traffic.requests = 100000;
  traffic.mapping = dram::Mapping::ch_ra_ba_ro_co;
  const auto whole = static_cast<double>(dram::simulate(table_iv_bank(), {}, traffic).cycles);
  CHECK(node.stream_cycles(16 * traffic.requests, false) == Approx(whole).epsilon(0.005));
  // Words that are larger than an access.
  NodeDram wide(table_iv_bank(), 1, 64);
  const hardware::pe_array::Gemm gemm{8, 8, 8};
  const hardware::pe_array::GemmMapping mapping = map_gemm(gemm, {4, 4, 1000, 0.25});
  CHECK(wide.gemm_cycles(gemm, mapping) >= 4.0 * static_cast<double>(mapping.dram_words));
  // Two banks share the data.
  NodeDram two(table_iv_bank(), 2, 1);
  CHECK(two.stream_cycles(64000, true) == node.stream_cycles(32000, true));
}

TEST_CASE("a ring of one step is a packet's way, and long chunks go on at the pace of short ones") {
  const hardware::noc::router::RouterSettings router;
  const hardware::noc::router::PacketFormat format;
  const RingNetwork network(router, format);
  CHECK(network.simulate(ring(2, 1), format.max_flits) ==
        std::llround(hardware::noc::router::zero_load_latency(router, 2, static_cast<unsigned>(format.max_flits))));

  std::mt19937_64 random(3);
  for (int i = 0; i < 20; ++i) {
    const std::int64_t nodes = draw(random, 2, 12);
    const RingProgram program = ring(nodes, draw(random, 1, nodes - 1));
    const RingNetwork::Pace pace = network.pace(program);
    const std::int64_t flits = draw(random, 2 * pace.base, 6 * pace.base);
    const auto simulated = static_cast<double>(network.simulate(program, flits));
    INFO(nodes << " nodes, " << program.steps << " steps, " << flits << " flits");
    CHECK(pace(flits) == Approx(simulated).epsilon(0.01));
    CHECK(simulated > static_cast<double>(flits * program.steps));
  }
  // So many nodes that not all steps are simulated.
  const RingProgram program = ring(90, 89);
  const std::int64_t flits = 3 * format.max_flits;
  CHECK(network.cycles(program, flits) == Approx(static_cast<double>(network.simulate(program, flits))).epsilon(0.01));
  CHECK(network.pace(program)(6 * format.max_flits) ==
        Approx(static_cast<double>(network.simulate(program, 6 * format.max_flits))).epsilon(0.01));
}

TEST_CASE("routers and DRAM are never faster than peak rates, and leave everything but times alone") {
  AllsparkPoints points;
  for (const std::string transfer : {"store-and-forward", "pipelined"}) {
    for (const std::string model : {"swin-t", "twins-svt-s"}) {
      for (const std::string policy : {"patch", "allspark"}) {
        AllsparkPoints::Overrides axes{
            {"model", model}, {"policy", policy}, {"hardware.noc.transfer", transfer}, {"rates", "peak"}};
        const Record formula = points.record(axes);
        axes["fidelity"] = Value{std::string("cycle")};
        const Record cycle = points.record(axes);
        INFO(model << ", " << policy << ", " << transfer);
        REQUIRE(cycle.status == Status::ok);
        for (const std::string share : {"time", "compute_time", "transfer_time", "weight_sharing_time"}) {
          INFO(share);
          CHECK(points.metric(cycle, share) >= points.metric(formula, share));
        }
        for (const std::string same : {"nonlinear_time", "memory_used", "energy", "dram_bytes", "temporal_layers"}) {
          CHECK(points.metric(cycle, same) == points.metric(formula, same));
        }
        CHECK(points.metric(cycle, "formula_deviation") ==
              Approx(1 - points.metric(formula, "time") / points.metric(cycle, "time")));
      }
    }
  }
}

TEST_CASE("a stream takes what its bank takes") {
  std::mt19937_64 random(4);
  for (int round = 0; round < 20; ++round) {
    dram::Dram bank = table_iv_bank();
    bank.organization.columns = std::int64_t{1} << draw(random, 3, 9);
    bank.timing.nRCDRD = bank.timing.nRCDWR = draw(random, 2, 12);
    bank.timing.nRP = draw(random, 2, 12);
    bank.timing.nRC = bank.timing.nRAS + bank.timing.nRP;
    NodeDram node(bank, 1, 1);
    for (const bool write : {false, true}) {
      const StreamTime stream(bank, write);
      const std::int64_t accesses = draw(random, 1, 20000);
      INFO(round << ": " << accesses << (write ? " writes" : " reads"));
      CHECK(stream(accesses) == Approx(node.stream_cycles(16 * accesses, write)).epsilon(0.02).margin(3));
      CHECK(stream.rate() == Approx(1e6 / stream(1'000'000)).epsilon(0.01));
      CHECK(stream.rate() <= 1);
    }
  }
}

TEST_CASE("sustained rates are within a tenth of simulation, and never above the peak") {
  AllsparkPoints points;
  for (const std::string model : {"swin-t", "twins-svt-s", "focal-t", "pvt-t"}) {
    AllsparkPoints::Overrides axes{{"model", model}, {"policy", "allspark"}, {"image_px", std::int64_t{224}}};
    const Record formula = points.record(axes);
    axes["rates"] = Value{std::string("peak")};
    CHECK(points.metric(points.record(axes), "time") < points.metric(formula, "time"));
    axes.erase("rates");
    axes["fidelity"] = Value{std::string("cycle")};
    INFO(model);
    CHECK(points.metric(points.record(axes), "formula_deviation") < 0.1);
  }
}

TEST_CASE("what machines share of their simulation changes no result") {
  AllsparkPoints shared;
  const AllsparkPoints::Overrides base{{"model", "twins-svt-s"}, {"policy", "patch"}, {"fidelity", "cycle"}};
  CHECK(shared.record(base).status == Status::ok);
  // The same routers; the same banks; the same banks on routers with fewer channels.
  const std::vector<std::pair<std::string, Value>> others{{"hardware.dram.bank_capacity", 32.0 * (1 << 20)},
                                                          {"hardware.node_array.rows", std::int64_t{12}},
                                                          {"hardware.noc.virtual_channels", std::int64_t{2}}};
  for (const auto& [axis, value] : others) {
    AllsparkPoints::Overrides axes = base;
    axes[axis] = value;
    AllsparkPoints alone;
    INFO(axis);
    CHECK(shared.metric(shared.record(axes), "cycles") == alone.metric(alone.record(axes), "cycles"));
  }
}

TEST_CASE("what cannot be simulated is named") {
  AllsparkPoints points;
  AllsparkPoints::Overrides axes{{"model", "swin-t"}, {"policy", "allspark"}, {"fidelity", "cycle"}};
  axes["hardware.dram.row"] = Value{1000.0};
  CHECK_THROWS_WITH(points.record(axes), Catch::Contains("hardware.dram.row holds 62.5"));
  axes["hardware.dram.row"] = Value{1024.0};
  axes["hardware.dram.tREFI"] = Value{100e-9};
  CHECK_THROWS_WITH(points.record(axes), Catch::Contains("hardware.dram.tREFI is 40 clocks"));
}
