#include <catch2/catch.hpp>

#include "systems/allspark/allspark_points.h"
#include "workload/model_library.h"

using namespace pimsweep::systems::allspark;
using namespace pimsweep::systems;
using namespace pimsweep;

// The scheduler's tests compare the solvers on made-up costs; here they meet the machine's own.

namespace {

/// Section VIII-A: PVT runs on 8 x 8 nodes.
AllsparkPoints::Overrides point_of(const std::string& model, std::int64_t image_px, const std::string& policy) {
  AllsparkPoints::Overrides point{{"model", model}, {"image_px", image_px}, {"policy", policy}};
  if (model.starts_with("pvt")) {
    point["hardware.node_array.rows"] = std::int64_t{8};
    point["hardware.node_array.cols"] = std::int64_t{8};
  }
  return point;
}

}  // namespace

TEST_CASE("the compact program has the same optimum for every model and size of Figure 11") {
  AllsparkPoints points;
  const workload::ModelLibrary library("configs/models");
  for (const std::string& model : library.vision_transformers()) {
    for (const std::int64_t image_px : {224, 640, 960}) {
      CAPTURE(model, image_px);
      const Record exact = points.record(point_of(model, image_px, "allspark"));
      const Record compact = points.record(point_of(model, image_px, "allspark-milp"));
      REQUIRE(compact.status == exact.status);
      if (exact.status == Status::ok) CHECK(points.metric(compact, "cycles") == points.metric(exact, "cycles"));
    }
  }
}

TEST_CASE("the paper's own program has the same optimum where CBC closes it") {
  AllsparkPoints points;
  // The families with one branch for each block; windowed models take CBC from seconds to hours.
  for (const std::string model : {"vit-b", "vit-l", "vit-h", "pvt-t", "pvt-s", "pvt-m", "pvt-l"}) {
    CAPTURE(model);
    const Record exact = points.record(point_of(model, 224, "allspark"));
    const Record paper = points.record(point_of(model, 224, "allspark-ilp"));
    REQUIRE(exact.status == Status::ok);
    REQUIRE(paper.status == Status::ok);
    REQUIRE(points.text(paper, "solver").find("optimal") != std::string::npos);
    CHECK(points.metric(paper, "cycles") == points.metric(exact, "cycles"));
  }
}
