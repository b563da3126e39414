#include <catch2/catch.hpp>
#include <vector>

#include "channels.h"
#include "hardware/dram/analytic.h"
#include "hardware/dram/controller.h"
#include "hardware/dram/energy.h"
#include "hardware/dram/simulation.h"

using namespace pimsweep::hardware::dram;
using namespace pimsweep;

namespace {

Traffic traffic_of(Pattern pattern, std::int64_t requests, ReadMix mix = {}) {
  Traffic traffic;
  traffic.pattern = pattern;
  traffic.requests = requests;
  traffic.mix = mix;
  traffic.seed = 1234;
  return traffic;
}

ControllerOptions without_refresh() {
  ControllerOptions options;
  options.refresh = Refresh::none;
  return options;
}

}  // namespace

TEST_CASE("a lone access: ACT at 1, then tRCD, then its data") {
  const Dram dram = test::ddr4_2400();
  const Result read = simulate(dram, {}, traffic_of(Pattern::seq, 1));
  CHECK(read.cycles == 1 + 16 + 16 + 4);
  CHECK(read.mean_read_latency() == 37);
  CHECK(read.row_misses == 1);
  const Result write = simulate(dram, {}, traffic_of(Pattern::seq, 1, {ReadMix::Kind::writes, 0}));
  CHECK(write.cycles == 1 + 16);
  CHECK(estimate(dram, {}, traffic_of(Pattern::seq, 1)).cycles == read.cycles);

  // HBM's ACT takes a clock more.
  Dram other = dram;
  test::follow(other, "dram-HBM2_2000");
  CHECK(simulate(other, {}, traffic_of(Pattern::seq, 1)).cycles == 38);
}

TEST_CASE("a second hit of the same bank group follows after tCCD_L, of another one after tCCD_S") {
  const Dram dram = test::ddr4_2400();
  const std::vector<Request> same{{0, 0, 0, false}, {0, 0, 1, false}};
  CHECK(simulate(dram, {}, same).cycles == 37 + 6);
  const std::vector<Request> other{{0, 0, 0, false}, {4, 0, 1, false}};
  // The second ACT waits for tRRD_S, which is tCCD_S here.
  CHECK(simulate(dram, {}, other).cycles == 37 + 4);
}

TEST_CASE("a new row for each access of one bank costs the row cycle") {
  const Dram dram = test::ddr4_2400();
  const std::int64_t n = 1000;
  const Result reads = simulate(dram, without_refresh(), traffic_of(Pattern::stride_row_1bank, n));
  // max(tRC, tRTP + tRCD + tRP) = 55, and the first read's way.
  CHECK(reads.cycles == (n - 1) * 55 + 37);
  CHECK(reads.row_conflicts == n - 1);
  const Result writes =
      simulate(dram, without_refresh(), traffic_of(Pattern::stride_row_1bank, n, {ReadMix::Kind::writes, 0}));
  // tRCD + tCWL + tBL + tWR + tRP = 66.
  CHECK(writes.cycles == (n - 1) * 66 + 17);
  CHECK(estimate(dram, without_refresh(), traffic_of(Pattern::stride_row_1bank, n)).cycles == reads.cycles);
}

TEST_CASE("a refresh closes all rows and keeps the rank for tRFC") {
  Dram dram = test::ddr4_2400();
  dram.timing.nREFI = 1000;
  const Result r = simulate(dram, {}, traffic_of(Pattern::hit_1bank, 250));
  CHECK(r.commands.ref == r.cycles / 1000);
  CHECK(r.commands.preab == r.commands.ref);
  CHECK(r.commands.act == 2 + r.commands.ref);
  const Result none = simulate(dram, without_refresh(), traffic_of(Pattern::hit_1bank, 250));
  CHECK(none.commands.ref == 0);
  // The rest of tRCD, tRP and the drain are hidden in no other bank.
  CHECK(r.cycles - none.cycles >= r.commands.ref * (433 + 16));
}

TEST_CASE("a read of a queued write is answered without DRAM, a write to it vanishes") {
  const Dram dram = test::ddr4_2400();
  // The first write is active at once; the second waits for the bank, where the read and the third write find it.
  const std::vector<Request> requests{{0, 0, 0, true}, {0, 1, 5, true}, {0, 1, 5, false}, {0, 1, 5, true}};
  const Result r = simulate(dram, {}, requests);
  CHECK(r.reads_forwarded == 1);
  CHECK(r.writes_coalesced == 1);
  CHECK(r.commands.rd == 0);
  CHECK(r.commands.wr == 2);
  CHECK(r.row_misses + r.row_conflicts == 2);
}

TEST_CASE("RowHit serves an older hit before it closes a row, plain FRFCFS need not") {
  const Dram dram = test::ddr4_2400();
  ControllerOptions options = without_refresh();
  options.scheduler = Scheduler::fr_fcfs_row_hit;
  const Result kept = simulate(dram, options, traffic_of(Pattern::random_8rows_1bank, 2000));
  const Result plain = simulate(dram, without_refresh(), traffic_of(Pattern::random_8rows_1bank, 2000));
  CHECK(kept.commands.act <= plain.commands.act);
  CHECK(kept.commands.rd == 2000);
}

TEST_CASE("energy follows the datasheet's definitions of the currents") {
  const Dram dram = test::ddr4_2400();
  const double clock = 0.833e-9;
  const double chips = 8 * 1.2;
  Result r;
  r.cycles = 1000;
  r.open_clocks = 600;
  r.commands = {.act = 3, .pre = 3, .preab = 0, .rd = 5, .wr = 7, .ref = 1};
  const Energy e = energy(r, dram);
  // A bank activated and precharged every tRC draws IDD0, background included.
  CHECK(e.activate / 3 + chips * clock * (0.043 * 39 + 0.034 * 16) == Approx(chips * clock * 0.048 * 55));
  // Reading without a gap draws IDD4R, background included.
  CHECK(e.read / 5 + chips * clock * 4 * 0.043 == Approx(chips * clock * 4 * 0.135));
  CHECK(e.write / 7 + chips * clock * 4 * 0.043 == Approx(chips * clock * 4 * 0.123));
  CHECK(e.refresh + chips * clock * 433 * 0.043 == Approx(chips * clock * 433 * 0.25));
  CHECK(e.background == Approx(chips * clock * (600 * 0.043 + 400 * 0.034)));
  CHECK(e.data == 0);
}
