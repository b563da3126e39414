#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "llm_points.h"

using namespace pimsweep;
using namespace pimsweep::llm_points;
using systems::Record;
using systems::Status;

namespace {

using Overrides = SystemPoints::Overrides;
using Lanes = std::map<std::pair<std::string, std::string>, std::vector<std::pair<double, double>>>;

/// Start and end of the intervals of each lane of a part, by start.
Lanes lanes_of(SystemPoints& points, const Record& record) {
  const auto column = [&](const char* name) { return points.column(record, "timeline", name); };
  const std::vector<Value> part = column("part");
  const std::vector<Value> lane = column("lane");
  const std::vector<Value> start = column("start");
  const std::vector<Value> end = column("end");
  Lanes lanes;
  for (std::size_t i = 0; i < part.size(); ++i) {
    lanes[{std::get<std::string>(part[i]), std::get<std::string>(lane[i])}].emplace_back(to_real(start[i]),
                                                                                         to_real(end[i]));
  }
  for (auto& [name, intervals] : lanes) std::ranges::sort(intervals);
  return lanes;
}

/// Time of the operators of a block, each once.
double time_of_block(SystemPoints& points, const Record& record) {
  const std::vector<Value> time = points.column(record, "by_operator", "time");
  const std::vector<Value> times = points.column(record, "by_operator", "times");
  double sum = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (to_real(times[i]) > 1) sum += to_real(time[i]) / to_real(times[i]);
  }
  return sum;
}

const std::vector<std::pair<const char*, const char*>> setups{{"llm-8-a100", "gpu"},
                                                              {"llm-8-a100-attacc", "attacc"},
                                                              {"llm-8-a100-attacc", "attacc-ff"},
                                                              {"llm-8-a100-attacc", "pim-all"}};

}  // namespace

TEST_CASE("intervals of a lane never overlap, and the last one of a block ends with it") {
  for (const auto& [hardware, policy] : setups) {
    SystemPoints points = points_on(hardware);
    for (const char* phase : {"decode", "mixed", "prefill"}) {
      for (const char* pipelining : {"none", "transfers", "projections"}) {
        const Record record = points.record({{"model", text("llama-2-70b")},
                                             {"policy", text(policy)},
                                             {"phase", text(phase)},
                                             {"pipelining", text(pipelining)},
                                             {"batch", integer(24)},
                                             {"context", integer(2048)},
                                             {"record_timeline", Value{true}}});
        REQUIRE(record.status == Status::ok);
        INFO(hardware << " " << policy << " " << phase << " " << pipelining);
        double end = 0;
        for (const auto& [name, intervals] : lanes_of(points, record)) {
          for (std::size_t i = 1; i < intervals.size(); ++i) {
            CHECK(intervals[i].first >= intervals[i - 1].second - 1e-12);
          }
          if (name.first == "block") end = std::max(end, intervals.back().second);
        }
        CHECK(end == Approx(time_of_block(points, record)).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("pipelined heads are shown separately") {
  SystemPoints points = points_on("llm-8-a100-attacc");
  Overrides point{{"model", text("gpt3-175b")},
                  {"policy", text("attacc")},
                  {"context", integer(2048)},
                  {"record_timeline", Value{true}}};
  // 96 heads on eight GPUs.
  Lanes lanes = lanes_of(points, points.record(point));
  CHECK(lanes[std::pair("block", "PIM")].size() == 12);
  CHECK(lanes[std::pair("block", "to PIM")].size() == 12);
  point["pipelining"] = text("none");
  lanes = lanes_of(points, points.record(point));
  CHECK(lanes[std::pair("block", "PIM")].size() == 1);
}

TEST_CASE("attention of a prompt's chunk runs beside that on PIM, which has a memory of its own") {
  SystemPoints points = points_on("llm-8-a100-attacc");
  for (const char* pipelining : {"none", "transfers", "projections"}) {
    for (const std::int64_t chunk : {64, 512, 4096}) {
      Overrides point{{"model", text("llama-2-70b")},   {"policy", text("attacc")}, {"phase", text("mixed")},
                      {"pipelining", text(pipelining)}, {"batch", integer(24)},     {"context", integer(4096)},
                      {"chunk", integer(chunk)}};
      const Record beside = points.record(point);
      point["hardware.pim.memory_of"] = text("shared");
      const Record after = points.record(point);
      REQUIRE(beside.status == Status::ok);
      REQUIRE(after.status == Status::ok);
      INFO(pipelining << " " << chunk);
      // No less than either side needs, and less than both.
      const double gpu = sum(points, beside, "gpu_time");
      const double pim = sum(points, beside, "pim_time");
      const double time = points.metric(beside, "time");
      CHECK(time >= std::max(gpu, pim));
      // Products of other heads hide attention on PIM as well.
      const bool hidden = std::string(pipelining) == "projections";
      CHECK(time <= points.metric(after, "time"));
      CHECK((hidden || time < points.metric(after, "time")));
      CHECK(sum(points, beside, "time") <= time);
    }
  }
}
