#include <catch2/catch.hpp>

#include "base/error.h"
#include "systems/allspark/allspark_points.h"
#include "systems/parts/parts.h"

using namespace pimsweep::systems::allspark;
using namespace pimsweep::systems::parts;
using namespace pimsweep::systems;
using namespace pimsweep;

TEST_CASE("execution gpu is what system gpu says of the same card, model, size and batch") {
  SystemPoints pim(make_allspark("configs"), "allspark-vs-v100");
  SystemPoints card(make_gpu("configs"), "gpu-v100");
  for (const std::string model : {"swin-b", "cswin-t"}) {
    for (const std::int64_t batch : {1, 8}) {
      const Record here = pim.record({{"model", model}, {"execution", "gpu"}, {"batch", batch}});
      const Record there = card.record({{"model", model}, {"image_px", std::int64_t{224}}, {"batch", batch}});
      CHECK(pim.metric(here, "time") == card.metric(there, "time"));
      CHECK(pim.metric(here, "energy") == card.metric(there, "energy"));
      CHECK(pim.metric(here, "time_per_sample") * static_cast<double>(batch) == Approx(card.metric(there, "time")));
    }
  }
}

TEST_CASE("a measured throughput scales the GPU's time at every size and batch, not its energy") {
  SystemPoints pim(make_allspark("configs"), "allspark-vs-v100");
  const auto record = [&](std::int64_t batch, std::int64_t image_px, double throughput) {
    return pim.record({{"model", "swin-t"},
                       {"execution", "gpu"},
                       {"batch", batch},
                       {"image_px", image_px},
                       {"gpu_throughput", throughput},
                       {"gpu_throughput_batch", std::int64_t{64}}});
  };
  const double modeled = pim.metric(record(64, 224, 0), "time");
  CHECK(pim.metric(record(64, 224, 800), "time") == Approx(64.0 / 800));
  for (const std::int64_t batch : {1, 64}) {
    for (const std::int64_t image_px : {224, 640}) {
      const Record usual = record(batch, image_px, 0), scaled = record(batch, image_px, 800);
      CHECK(pim.metric(scaled, "time") == Approx(pim.metric(usual, "time") * 64 / 800 / modeled));
      CHECK(pim.metric(scaled, "energy") == pim.metric(usual, "energy"));
    }
  }
}

TEST_CASE("execution gpu without a GPU names the missing constants") {
  AllsparkPoints points;
  CHECK_THROWS_WITH(points.record({{"model", "swin-b"}, {"execution", "gpu"}}),
                    Catch::Contains("hardware.gpu.card") && Catch::Contains("hardware.gpu.sm.count") &&
                        Catch::Contains("allspark-vs-v100"));
}

TEST_CASE("the machine beside the V100 has the throughput, capacity and bandwidth of Section VIII-C") {
  SystemPoints points(make_allspark("configs"), "allspark-vs-v100");
  const std::vector<Value> values = points.values({{"model", "swin-b"}, {"execution", "ideal"}});
  const auto number = [&](const std::string& axis) {
    return to_real(values[static_cast<std::size_t>(points.schema().axis_index("hardware." + axis))]);
  };
  const double nodes = number("node_array.rows") * number("node_array.cols");
  const double banks = nodes * number("dram.banks_per_node");
  // The paper counts a multiply-accumulate as one operation (docs/allspark.md, "Comparison with a V100").
  CHECK(nodes * number("pe_array.rows") * number("pe_array.cols") * number("clock") == Approx(14.7e12).epsilon(0.01));
  CHECK(banks * number("dram.bank_capacity") == 4.5 * (1 << 30));
  CHECK(banks * number("dram.bank_bandwidth") / (1LL << 40) == Approx(3.35).epsilon(0.005));
}
