#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "channels.h"
#include "hardware/dram/analytic.h"
#include "hardware/dram/controller.h"
#include "hardware/dram/energy.h"
#include "hardware/dram/simulation.h"
#include "literal.h"
#include "random_channels.h"

using namespace pimsweep::hardware::dram;
using namespace pimsweep;
using pimsweep::test::Dice;
using pimsweep::test::random_dram;
using pimsweep::test::random_options;
using pimsweep::test::random_traffic;
using pimsweep::test::regular_traffic;
using pimsweep::test::requests_of;

namespace {

std::vector<Request> random_requests(Dice& dice, const Organization& o, std::int64_t count) {
  std::vector<Request> requests;
  const std::int64_t writes = dice(0, 10);
  const std::int64_t rows = std::min(o.rows, dice.power_of_two(4));
  Request request;
  while (static_cast<std::int64_t>(requests.size()) < count) {
    // Now and then the next column of the same row.
    if (dice(0, 2) == 0) {
      request.column = (request.column + 1) % o.columns;
    } else {
      request = {dice(0, o.all_banks() - 1), dice(0, rows - 1), dice(0, o.columns - 1), false};
    }
    request.write = dice(0, 9) < writes;
    requests.push_back(request);
  }
  return requests;
}

}  // namespace

TEST_CASE("jumping over time gives what every clock written out gives") {
  Dice dice(1);
  for (int round = 0; round < 250; ++round) {
    CAPTURE(round);
    const Dram dram = random_dram(dice);
    const ControllerOptions options = random_options(dice);
    const std::vector<Request> requests = random_requests(dice, dram.organization, dice(1, 120));
    const Result quick = simulate(dram, options, requests);
    const Result literal = test::run_literally(dram, options, requests);
    CHECK(quick.cycles == literal.cycles);
    CHECK(quick.row_hits == literal.row_hits);
    REQUIRE(quick == literal);
  }
}

TEST_CASE("column commands that are planned with their ACT go out when they would have been found") {
  Dice dice(8);
  for (int round = 0; round < 250; ++round) {
    CAPTURE(round);
    Dram dram = random_dram(dice);
    // Rows are opened for one request, as a rule, and no faster than columns can follow.
    dram.organization.rows = 1 << 12;
    dram.timing.nRRDS = std::max({dram.timing.nRRDS, dram.timing.nBL, dram.timing.nCCDS});
    dram.timing.nRRDL = std::max({dram.timing.nRRDL, dram.timing.nRRDS, dram.timing.nCCDL});
    dram.timing.nREFI += dice(0, 2000);
    std::vector<Request> requests;
    const std::int64_t writes = dice(0, 10);
    const std::int64_t again = dice(2, 20);
    while (requests.size() < 150) {
      Request request{dice(0, dram.organization.all_banks() - 1), dice(0, dram.organization.rows - 1), 0, false};
      // Now and then a place of late, which may be in the write queue, or whose row may be open.
      if (!requests.empty() && dice(0, again) == 0) {
        request = requests[requests.size() - static_cast<std::size_t>(dice(1, std::min(std::ssize(requests), 8L)))];
        request.column = dice(0, 1) % dram.organization.columns;
      }
      request.write = dice(1, 10) <= writes;
      requests.push_back(request);
    }
    const ControllerOptions options = random_options(dice);
    REQUIRE(simulate(dram, options, requests) == test::run_literally(dram, options, requests));
  }
}

TEST_CASE("skipping whole periods gives what every request gives") {
  Dice dice(6);
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const Dram dram = random_dram(dice);
    const ControllerOptions options = random_options(dice);
    const Traffic traffic = regular_traffic(dice, 6000);
    CAPTURE(word_of(pattern_words, traffic.pattern), traffic.requests);
    const std::vector<Request> requests = requests_of(dram.organization, traffic);
    REQUIRE(simulate(dram, options, traffic) == simulate(dram, options, requests));
  }
}

TEST_CASE("whole periods are skipped in long rows, between few refreshes") {
  Dice dice(7);
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    Dram dram = random_dram(dice);
    dram.organization.columns = dice.power_of_two(7);
    dram.organization.rows = std::int64_t{1} << dice(4, 16);
    dram.timing.nREFI += dice(0, 8000);
    ControllerOptions options = random_options(dice);
    const Traffic traffic = regular_traffic(dice, 40000);
    CAPTURE(word_of(pattern_words, traffic.pattern), traffic.requests);
    const Result skipped = simulate(dram, options, traffic);
    options.skip_periods = false;
    REQUIRE(skipped == simulate(dram, options, traffic));
  }
}

TEST_CASE("every request is served once, and no bound is beaten") {
  Dice dice(2);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const Dram dram = random_dram(dice);
    const ControllerOptions options = random_options(dice);
    const std::vector<Request> requests = random_requests(dice, dram.organization, dice(1, 2000));
    const auto n = static_cast<std::int64_t>(requests.size());
    const Result r = simulate(dram, options, requests);
    const Commands& c = r.commands;
    CHECK(c.rd + c.wr + r.reads_forwarded + r.writes_coalesced == n);
    const auto reads = std::count_if(requests.begin(), requests.end(), [](const Request& q) { return !q.write; });
    CHECK(c.rd + r.reads_forwarded == reads);
    CHECK(r.row_hits + r.row_misses + r.row_conflicts == c.rd + c.wr);
    CHECK(c.act <= c.rd + c.wr);
    // A bank is closed once for each time that it was opened, or it is still open.
    CHECK(c.pre <= c.act);
    CHECK(c.act - c.pre <= (c.preab + dram.organization.domains) * dram.organization.all_banks());
    // One request a clock enters; the data bus of each domain carries one burst at a time; ACTs keep nFAW and nRRD.
    const std::int64_t domains = dram.organization.domains;
    CHECK(r.cycles >= n);
    CHECK(r.cycles * domains >= (c.rd + c.wr - domains) * dram.timing.nBL);
    CHECK(r.cycles * domains >= (c.act - domains) * dram.timing.nRRDS);
    CHECK(r.cycles * domains >= (c.act / 4 - domains) * dram.timing.nFAW);
    CHECK(r.cycles * dram.organization.all_banks() >= (c.act - dram.organization.all_banks()) * dram.timing.nRC);
    CHECK(r.cycles_last_accept < r.cycles);
    CHECK(r.cycles_last_accept >= n - 1);
    CHECK(r.read_latency >= c.rd * (dram.timing.nCL + dram.timing.nBL + 1));
    CHECK(r.open_clocks <= r.cycles * domains);
    // Refreshes are served, though the last ones may be still due.
    const std::int64_t due = options.refresh == Refresh::all_bank ? r.cycles / dram.timing.nREFI * domains : 0;
    CHECK(c.ref <= due);
    CHECK(c.ref >= due - domains);
  }
}

TEST_CASE("one bank takes at least what its row cycles take") {
  Dice dice(3);
  for (int round = 0; round < 100; ++round) {
    CAPTURE(round);
    Dram dram = random_dram(dice);
    dram.organization.rows = 1024;
    const Timing& t = dram.timing;
    ControllerOptions options = random_options(dice);
    options.refresh = Refresh::none;
    Traffic traffic;
    traffic.pattern = Pattern::stride_row_1bank;
    traffic.requests = dice(1, 500);
    const Result r = simulate(dram, options, traffic);
    CHECK(r.commands.act == traffic.requests);
    CHECK(r.cycles >= (traffic.requests - 1) * std::max({t.nRC, t.nRAS + t.nRP, t.nRCDRD + t.nRTP + t.nRP}));
  }
}

TEST_CASE("energy is linear in commands and time") {
  Dice dice(4);
  const Dram dram = test::ddr4_2400();
  for (int round = 0; round < 50; ++round) {
    const std::vector<Request> requests = random_requests(dice, dram.organization, dice(1, 500));
    const Result r = simulate(dram, {}, requests);
    const Energy e = energy(r, dram);
    Result twice = r;
    for (auto count : {&Commands::act, &Commands::rd, &Commands::wr, &Commands::ref}) twice.commands.*count *= 2;
    twice.cycles *= 2;
    twice.open_clocks *= 2;
    CHECK(energy(twice, dram).total() == Approx(2 * e.total()).epsilon(1e-12));
    for (double part : {e.activate, e.read, e.write, e.refresh, e.background}) CHECK(part >= 0);
    CHECK(e.background > 0);
  }
}

TEST_CASE("arithmetic counts every request and grows with their number") {
  Dice dice(5);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const Dram dram = random_dram(dice);
    const ControllerOptions options = random_options(dice);
    Traffic traffic = random_traffic(dice, 1);
    std::int64_t before = 0;
    for (std::int64_t n : {1, 2, 17, 1000, 1000000}) {
      traffic.requests = n;
      const Result r = estimate(dram, options, traffic);
      CHECK(r.cycles >= before);
      CHECK(r.cycles >= n);
      CHECK(r.row_hits + r.row_misses + r.row_conflicts == n);
      CHECK(r.commands.rd + r.commands.wr == n);
      CHECK(std::min({r.row_hits, r.row_misses, r.row_conflicts, r.open_clocks, r.commands.ref}) >= 0);
      CHECK(r.open_clocks <= r.cycles * dram.organization.domains);
      before = r.cycles;
    }
  }
}
