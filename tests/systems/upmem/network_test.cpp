#include <catch2/catch.hpp>
#include <string>

#include "systems/system_points.h"
#include "systems/upmem/upmem.h"

using namespace pimsweep;
using namespace pimsweep::systems;
using Overrides = SystemPoints::Overrides;

namespace {

SystemPoints network() { return {upmem::make_upmem_network("configs"), "upmem-2556"}; }

Value number(std::int64_t count) { return count; }
Value word(std::string words) { return words; }

double time_of(SystemPoints& points, const Overrides& point) {
  const Record record = points.record(point);
  REQUIRE(record.status == Status::ok);
  return points.metric(record, "time");
}

}  // namespace

TEST_CASE("UPMEM network: no placement beats the optimum, whatever network, batch and number of DPUs") {
  SystemPoints points = network();
  for (const char* model : {"llama-2-7b", "mixtral-8x7b", "resnet-18", "bert-base"}) {
    for (const std::int64_t dpus : {1024, 2556}) {
      for (const std::int64_t batch : {1, 33}) {
        Overrides point{{"model", word(model)}, {"dpus", number(dpus)}, {"batch", number(batch)}};
        point["weights"] = word("sent");
        INFO(model << " " << dpus << " " << batch);
        const double best = time_of(points, point);
        for (const char* policy : {"rows", "joined", "tiles", "groups"}) {
          point["policy"] = word(policy);
          CHECK(best <= time_of(points, point) * (1 + 1e-12));
        }
      }
    }
  }
}

TEST_CASE("UPMEM network: the matrices are those of the model, and their parts add up") {
  SystemPoints points = network();
  for (const char* policy : {"rows", "optimum"}) {
    const Record record = points.record({{"model", word("llama-2-7b")}, {"policy", word(policy)}});
    const auto rows = points.column(record, "by_product", "rows");
    const auto columns = points.column(record, "by_product", "columns");
    const auto times = points.column(record, "by_product", "times");
    double weights = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      weights += to_real(rows[i]) * to_real(columns[i]) * to_real(times[i]);
    }
    // Blocks of four square matrices and three of the feed-forward network, and the LM head.
    CHECK(weights == 32.0 * (4.0 * 4096 * 4096 + 3.0 * 4096 * 11008) + 4096.0 * 32000);
    CHECK(points.metric(record, "bank_bytes") * 2556 >= weights);
  }
}

TEST_CASE("UPMEM network: equal layers of an inference are one product") {
  SystemPoints points = network();
  const Record record = points.record({{"model", word("resnet-50")}, {"policy", word("rows")}});
  CHECK(points.column(record, "by_product", "times").size() == 21);
  CHECK(points.metric(record, "launches") == 54);
}

TEST_CASE("UPMEM network: transfers and launches take most of a token on all DPUs, and fewer are faster") {
  SystemPoints points = network();
  const Overrides all{{"model", word("llama-2-7b")}, {"policy", word("rows")}};
  const Record record = points.record(all);
  CHECK(points.metric(record, "overhead") > 0.7);
  Overrides fewer = all;
  fewer["dpus"] = number(512);
  CHECK(time_of(points, fewer) < points.metric(record, "time"));
  Overrides best = all;
  best["policy"] = word("optimum");
  CHECK(points.metric(points.record(best), "max_dpus") < 2556);
}

TEST_CASE("UPMEM network: weights that the banks cannot hold, and numbers beyond the machine") {
  SystemPoints points = network();
  const auto reason = [&](Overrides point) {
    point.try_emplace("model", word("llama-2-7b"));
    const Record record = points.record(point);
    CHECK(record.status == Status::infeasible);
    return record.message;
  };
  CHECK(reason({{"dpus", number(64)}, {"policy", word("rows")}}).find("but its bank (MRAM) has 67108864") !=
        std::string::npos);
  CHECK(reason({{"dpus", number(2557)}}) == "dpus is 2557, but the machine has 2556: 40 ranks of 64 less 4 dead");
  CHECK(reason({{"tasklets", number(25)}}) == "tasklets is 25, but a DPU holds 24 (hardware.threads)");
  CHECK_THROWS_WITH(points.record({{"model", word("llama-2-7b")}, {"image_px", number(224)}}),
                    "image_px is set, but the model generates text");
}
