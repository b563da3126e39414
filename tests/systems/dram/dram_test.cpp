#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>

#include "../../hardware/reference.h"
#include "../system_points.h"
#include "systems/parts/parts.h"

using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

Value text(std::string value) { return Value{std::move(value)}; }
Value count(std::int64_t value) { return Value{value}; }

SystemPoints dram(const std::string& hardware) { return {parts::make_dram("configs"), hardware}; }
SystemPoints ddr4() { return dram("dram-DDR4_2400R"); }

/// Values of the axes in a row of Ramulator's results.
SystemPoints::Overrides point_of(const test::Reference& rows, std::size_t row) {
  SystemPoints::Overrides overrides;
  for (const char* axis : {"standard", "pattern", "read_fraction", "mapping", "scheduler", "refresh", "row_policy"}) {
    overrides[axis] = text(rows.text(row, axis));
  }
  for (const char* axis : {"requests", "read_queue", "write_queue", "seed"}) {
    if (!rows.text(row, axis).empty()) overrides[axis] = count(rows.integer(row, axis));
  }
  return overrides;
}

double metric(SystemPoints& points, const SystemPoints::Overrides& overrides, const std::string& name) {
  const Record record = points.record(overrides);
  REQUIRE(record.status == Status::ok);
  return points.metric(record, name);
}

}  // namespace

TEST_CASE("the rows of Ramulator 2.1 are met exactly") {
  std::map<std::string, SystemPoints> by_hardware;
  const test::Reference rows("results/reference/dram/dram_reference.csv");
  // Enough of every kind; the study `reference` has them all.
  constexpr std::int64_t max_requests = 10000;
  std::size_t met = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows.integer(row, "requests") > max_requests) continue;
    CAPTURE(rows.text(row, "case_id"));
    const std::string hardware = rows.text(row, "hardware");
    if (!by_hardware.contains(hardware)) by_hardware.emplace(hardware, dram(hardware));
    SystemPoints& points = by_hardware.at(hardware);
    const Record record = points.record(point_of(rows, row));
    for (const char* name : {"cycles", "cycles_last_accept", "row_hits", "row_misses", "row_conflicts", "n_ACT",
                             "n_PREpb", "n_PREab", "n_RD", "n_WR", "n_REFab", "reads_forwarded", "writes_coalesced"}) {
      CAPTURE(name);
      CHECK(points.metric(record, name) == static_cast<double>(rows.integer(row, name)));
    }
    // Printed with six digits.
    CHECK(points.metric(record, "avg_read_latency") == Approx(rows.real(row, "avg_read_latency")).epsilon(1e-5));
    ++met;
  }
  CHECK(met > 100);
}

TEST_CASE("constraints that cannot be read are refused with the line and what is allowed") {
  SystemPoints points = ddr4();
  const auto refused = [&](const char* rules, const char* message) {
    CAPTURE(rules);
    CHECK_THROWS_WITH(points.record({{"hardware.rules", text(rules)}}), Catch::Contains(message));
  };
  refused("bank | ACT | RD | nRCDRD\nbank | ACT | RDD | nRCDRD", "line 2 'bank | ACT | RDD | nRCDRD'");
  refused("bank | ACT | RDD | nRCDRD", "unknown command 'RDD' (did you mean 'RD'?); expected ACT, PRE");
  refused("rank | ACT | RD | nRCDRD", "unknown level 'rank'");
  refused("bank | ACT | RD | nRCDRB", "unknown timing parameter 'nRCDRB' (did you mean 'nRCDRD'?)");
  refused("bank | ACT | RD | nRCDRD * nCL", "expected one timing parameter in each term");
  refused("bank | ACT | RD | nRCDRD -", "unknown timing parameter ''");
  refused("bank | ACT | RD", "unknown timing parameter ''");
  refused("bank | ACT | RD | nRCDRD | 4", "window '4': expected 1");
  refused("bank | REFab | RD | nRFC", "keeps no distance from REFab to RD in a bank");
  refused("", "no line gives the cycles from ACT to RD in a bank");
}

TEST_CASE("arithmetic is near the simulation for streams and strides of every DRAM") {
  for (const char* hardware : {"dram-DDR4_2400R", "dram-DDR4_3200AA", "dram-GDDR6_14000", "dram-HBM2_2000",
                               "dram-HMC_vault", "dram-PIMFlow_GDDR6", "dram-Allspark_400MHz_1bank",
                               "dram-Allspark_400MHz_4banks", "dram-Allspark_2GHz_1bank"}) {
    SystemPoints points = dram(hardware);
    for (const char* pattern : {"seq", "hit_1bank", "hit_allbanks", "stride_row_1bank", "stride_row_allbanks"}) {
      for (const char* reads : {"1", "0"}) {
        CAPTURE(hardware, pattern, reads);
        SystemPoints::Overrides point{
            {"pattern", text(pattern)}, {"read_fraction", text(reads)}, {"requests", count(4000)}};
        const double cycle = metric(points, point, "cycles");
        point["fidelity"] = text("analytic");
        CHECK(metric(points, point, "cycles") == Approx(cycle).epsilon(0.2));
      }
    }
  }
}

TEST_CASE("metrics are consistent with each other") {
  SystemPoints points = ddr4();
  for (const char* fidelity : {"cycle", "analytic"}) {
    const Record r =
        points.record({{"fidelity", text(fidelity)}, {"pattern", text("random")}, {"read_fraction", text("0.67")}});
    const auto m = [&](const char* name) { return points.metric(r, name); };
    CHECK(m("time") == Approx(m("cycles") * 0.833e-9));
    CHECK(m("bandwidth") == Approx(10000 * 64 / m("time")));
    CHECK(m("bandwidth_share") == Approx(m("bandwidth") / (64 / (4 * 0.833e-9))));
    CHECK(m("energy") == Approx(m("energy_activate") + m("energy_read") + m("energy_write") + m("energy_refresh") +
                                m("energy_background") + m("energy_data")));
    CHECK(m("energy_per_byte") == Approx(m("energy") / (10000 * 64)));
    CHECK(std::isnan(m("avg_read_latency")) == (std::string(fidelity) == "analytic"));
  }
}

TEST_CASE("points without a meaning are refused with what is allowed") {
  SystemPoints points = ddr4();
  for (const char* mix : {"0.5 (sometimes)", "1.5", "-0.1", "0.333", "reads", "", "nan"}) {
    CAPTURE(mix);
    CHECK_THROWS_WITH(points.record({{"read_fraction", text(mix)}}), Catch::Contains("0.5 (alternate R,W)"));
  }
  CHECK_THROWS_WITH(points.record({{"standard", text("GDDR6")}}), Catch::Contains("the DRAM follows DDR4"));
  CHECK(points.record({{"standard", text("DDR4(custom)")}}).status == Status::ok);
  CHECK_THROWS_WITH(points.record({{"hardware.timing.nREFI", count(500)}}), Catch::Contains("nREFI = 500"));
  CHECK(points.record({{"hardware.timing.nREFI", count(500)}, {"refresh", text("No")}}).status == Status::ok);
  CHECK_THROWS_WITH(points.record({{"hardware.organization.banks", count(3)}}), Catch::Contains("not a power of two"));
  CHECK_THROWS_WITH(points.record({{"hardware.organization.banks", count(32)}}), Catch::Contains("at most 64 banks"));
  CHECK_THROWS_WITH(points.record({{"requests", count(1'000'000'000)}}), Catch::Contains("analytic"));
  CHECK(metric(points, {{"requests", count(1'000'000'000)}, {"fidelity", text("analytic")}}, "cycles") > 1e9);
}

TEST_CASE("channels of a point share its requests") {
  SystemPoints points = ddr4();
  const SystemPoints::Overrides stream{{"requests", count(30000)}};
  double before = metric(points, stream, "cycles");
  for (std::int64_t channels : {1, 2, 3, 8}) {
    SystemPoints::Overrides shared = stream;
    shared["channels"] = count(channels);
    const Record record = points.record(shared);
    const auto m = [&](const char* name) { return points.metric(record, name); };
    CAPTURE(channels);
    // Every byte is moved once, whatever the number of channels.
    CHECK(m("n_RD") + m("reads_forwarded") == 30000);
    CHECK(m("bandwidth") * m("time") == Approx(30000 * 64));
    CHECK(m("row_hits") + m("row_misses") + m("row_conflicts") == m("n_RD"));
    CHECK(m("bandwidth_share") == Approx(m("bandwidth") / (static_cast<double>(channels) * 64 / (4 * 0.833e-9))));
    CHECK(m("cycles") <= before);
    before = m("cycles");
  }
  // One channel is what the point was without the axis.
  const Record one = points.record(stream);
  SystemPoints::Overrides said = stream;
  said["channels"] = count(1);
  const Record same = points.record(said);
  for (const Metric& metric : points.system().schema().metrics) {
    CAPTURE(metric.name);
    const double value = points.metric(one, metric.name);
    CHECK((points.metric(same, metric.name) == value || std::isnan(value)));
  }
}

TEST_CASE("explain names channels and their shares") {
  SystemPoints points = ddr4();
  const auto channels_of = [&](const SystemPoints::Overrides& overrides) {
    const Explanation explanation = points.explanation(overrides);
    for (const Explanation::Section& section : explanation.sections) {
      if (section.title == "channels") return section.lines;
    }
    return std::vector<Explanation::Line>{};
  };
  CHECK(channels_of({}).empty());
  const auto uneven = channels_of({{"requests", count(1000)}, {"channels", count(3)}});
  REQUIRE(uneven.size() == 2);
  CHECK(uneven[0].name == "channel 0");
  CHECK(uneven[0].value == "334 requests");
  CHECK(uneven[1].name == "channel 1 and 1 like it");
  CHECK_THAT(uneven[1].note, Catch::StartsWith("33.3 % of all each, done after "));
  const auto few = channels_of({{"requests", count(2)}, {"channels", count(5)}, {"fidelity", text("analytic")}});
  REQUIRE(few.size() == 2);
  CHECK(few[0].name == "channel 0 and 1 like it");
  CHECK(few[1].name == "without requests");
  CHECK(few[1].value == "3");
  // Drawn channels are all different; the sum of two is all there is.
  const auto drawn = channels_of({{"requests", count(1000)}, {"channels", count(2)}, {"pattern", text("random")}});
  REQUIRE(drawn.size() == 2);
  CHECK(std::stoi(drawn[0].value) + std::stoi(drawn[1].value) == 1000);
  const auto many = channels_of({{"requests", count(1000)}, {"channels", count(16)}, {"pattern", text("random")}});
  REQUIRE(many.size() == 3);
  CHECK(std::stoi(many[0].value) < 1000 / 16);
  CHECK(std::stoi(many[1].value) > 1000 / 16);
}

TEST_CASE("explain shows the rules and the outcome of a point") {
  SystemPoints points = ddr4();
  for (const char* fidelity : {"cycle", "analytic"}) {
    const Explanation explanation = points.explanation({{"fidelity", text(fidelity)}});
    REQUIRE(explanation.sections.size() == 4);
    const Explanation::Line& cycles = explanation.sections[2].lines.at(0);
    CHECK(cycles.name == "cycles");
    CHECK(std::stod(cycles.value) == metric(points, {{"fidelity", text(fidelity)}}, "cycles"));
  }
}

TEST_CASE("traces and constraints that cannot be read do not fit") {
  SystemPoints points = ddr4();
  CHECK_THROWS_WITH(points.record({{"trace", text("nowhere.trace")}}), Catch::Contains("nowhere.trace"));
  CHECK_THROWS_WITH(points.record({{"trace", text("README.md")}}), Catch::Contains("expected 'LD ADDRESS'"));
  CHECK_THROWS_WITH(points.record({{"trace", text("README.md")}, {"fidelity", text("analytic")}}),
                    Catch::Contains("a trace requires fidelity"));
}

TEST_CASE("refreshes of banks, above 85 C or none have their effect on random reads") {
  SystemPoints points = dram("dram-LPDDR5_6400");
  const auto run = [&](const char* refresh, std::int64_t rate) {
    return points.record({{"pattern", text("random")}, {"refresh", text(refresh)}, {"refresh_rate", count(rate)}});
  };
  const auto m = [&](const Record& record, const char* name) { return points.metric(record, name); };
  const Record all = run("AllBank", 1);
  const Record banks = run("PerBank", 1);
  const Record none = run("No", 1);
  const Record hot = run("AllBank", 2);
  CHECK(m(all, "n_REFpb") == 0);
  CHECK(m(banks, "n_REFab") == 0);
  CHECK(m(banks, "n_REFpb") == Approx(m(banks, "cycles") / 390).margin(2));
  CHECK(m(none, "n_REFab") + m(none, "n_REFpb") == 0);
  CHECK(m(hot, "n_REFab") > 1.8 * m(all, "n_REFab"));
  CHECK(m(banks, "cycles") < m(all, "cycles"));
  CHECK(m(none, "cycles") < m(banks, "cycles"));
  CHECK(m(all, "cycles") < m(hot, "cycles"));
}

TEST_CASE("ranks share a data bus, and reads of another stack come later") {
  SystemPoints points = dram("dram-DDR4_2400R");
  const auto cycles = [&](std::int64_t ranks, const char* pattern, std::int64_t gap) {
    return metric(points,
                  {{"hardware.organization.ranks", count(ranks)},
                   {"hardware.timing.nRTRS", count(gap)},
                   {"pattern", text(pattern)}},
                  "cycles");
  };
  // More banks open rows, one bus moves the data.
  CHECK(cycles(2, "random", 2) < cycles(1, "random", 2));
  CHECK(cycles(2, "hit_allbanks", 2) > 10000 * 4);
  CHECK(cycles(2, "hit_allbanks", 8) > cycles(2, "hit_allbanks", 2));
  CHECK(cycles(1, "hit_allbanks", 8) == cycles(1, "hit_allbanks", 2));

  SystemPoints stack = dram("dram-HBM3_6400");
  const auto reads = [&](std::int64_t stacks, std::int64_t gap) {
    return metric(stack,
                  {{"hardware.organization.bankgroups", count(8)},
                   {"hardware.organization.stacks", count(stacks)},
                   {"hardware.timing.nCCDR", count(gap)},
                   {"pattern", text("hit_allbanks")}},
                  "cycles");
  };
  CHECK(reads(1, 6) < reads(2, 6));
  CHECK(reads(2, 6) < reads(2, 10));
}

TEST_CASE("controllers that a point cannot have are refused with what is allowed") {
  SystemPoints points = ddr4();
  const auto refused = [&](const SystemPoints::Overrides& overrides, const char* message) {
    CHECK_THROWS_WITH(points.record(overrides), Catch::Contains(message));
  };
  refused({{"refresh", text("PerBank")}}, "hardware.rules of DDR4 has no REFpb");
  refused({{"row_policy", text("Closed")}, {"fidelity", text("analytic")}}, "require fidelity = \"cycle\"");
  refused({{"hit_cap", count(2)}, {"fidelity", text("analytic")}}, "require fidelity = \"cycle\"");
  refused({{"hardware.organization.ranks", count(2)}, {"fidelity", text("analytic")}}, "require fidelity = \"cycle\"");
  refused({{"hardware.organization.stacks", count(8)}}, "stacks = 8 is above hardware.organization.bankgroups = 4");
  refused({{"hardware.commands.refreshed_groups", count(3)}}, "refreshed_groups = 3 is not a power of two");
  refused({{"hardware.timing.nAAD", count(4)}}, "nAAD = 4: an ACT takes two cycles");
  SystemPoints stack = dram("dram-HBM2_2000");
  CHECK_THROWS_WITH(stack.record({{"hardware.organization.ranks", count(2)}}),
                    Catch::Contains("do not share a data bus"));
  refused({{"write_low", Value{0.9}}}, "write_low = 0.9 is above write_high = 0.8");
  refused({{"mapping", text("RoBaRaCoCx")}}, "expected RoBaRaCoCh, ChRaBaRoCo, MOP4CLXOR");
  refused({{"mapping", text("RoBaBgRaCoCh Ba^Ro")}, {"fidelity", text("analytic")}}, "requires fidelity = \"cycle\"");
  SystemPoints hbm = dram("dram-HBM3_6400");
  CHECK_THROWS_WITH(hbm.record({{"refresh", text("PerBank")}, {"hardware.timing.nREFIpb", count(100)}}),
                    Catch::Contains("nREFIpb = 100"));
}

TEST_CASE("tables of a trace contain every access once") {
  SystemPoints points = dram("dram-HBM3_6400");
  const Record record = points.record({{"trace", text("tests/systems/dram/mixed.trace")}});
  const auto m = [&](const char* name) { return points.metric(record, name); };
  const auto reals = [&](const char* table, const char* name) {
    std::vector<double> values;
    for (const Value& value : points.column(record, table, name)) values.push_back(to_real(value));
    return values;
  };
  double reads = 0;
  for (const double count : reals("latencies", "reads")) reads += count;
  CHECK(reads == m("n_RD"));
  CHECK(reals("latencies", "to").back() >= m("read_latency_max"));
  const auto from = reals("intervals", "from");
  const auto to = reals("intervals", "to");
  const auto read = reals("intervals", "read_bandwidth");
  const auto written = reals("intervals", "write_bandwidth");
  double read_bytes = 0;
  double written_bytes = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    CHECK(from[i] == Approx(i == 0 ? 0 : to[i - 1]));
    read_bytes += read[i] * (to[i] - from[i]);
    written_bytes += written[i] * (to[i] - from[i]);
  }
  CHECK(read_bytes == Approx(32 * m("n_RD")));
  CHECK(written_bytes == Approx(32 * m("n_WR")));
  CHECK(to.back() == Approx(m("time")));
  CHECK(points.column(points.record({}), "latencies", "reads").empty());
}
