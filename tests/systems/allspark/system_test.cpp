#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "base/checked.h"
#include "base/error.h"
#include "systems/allspark/allspark_points.h"
#include "workload/model_library.h"

using namespace pimsweep::systems::allspark;
using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

AllsparkPoints::Overrides point_of(const std::string& model, const std::string& policy, std::int64_t px = 224) {
  return {{"model", model}, {"policy", policy}, {"image_px", px}};
}

AllsparkPoints::Overrides execution_of(const std::string& model, const std::string& execution, std::int64_t px = 224) {
  return {{"model", model}, {"execution", execution}, {"image_px", px}};
}

/// Numbers written to text and back, so that missing ones (NaN) compare equal.
std::vector<std::string> texts(const std::vector<Value>& values) {
  std::vector<std::string> result;
  result.reserve(values.size());
  for (const Value& value : values) result.push_back(to_text(value));
  return result;
}

}  // namespace

TEST_CASE("the schema describes every axis, metric and column, each name once") {
  AllsparkPoints points;
  std::set<std::string> names;
  for (const Axis& axis : points.schema().axes) {
    CHECK(names.insert(axis.name).second);
    CHECK_FALSE(axis.doc.empty());
    // What has no default is either a hardware constant or must be chosen.
    if (!axis.default_value) {
      CHECK((axis.name.rfind("hardware.", 0) == 0 || axis.name == "model" || axis.name == "policy"));
    }
  }
  std::vector<std::vector<Metric>> groups{points.schema().metrics};
  for (const Table& table : points.schema().tables) groups.push_back(table.columns);
  for (const std::vector<Metric>& group : groups) {
    std::set<std::string> columns;
    for (const Metric& metric : group) {
      CHECK(columns.insert(metric.name).second);
      CHECK_FALSE(metric.doc.empty());
    }
  }
  const int policy = points.schema().axis_index("policy");
  CHECK(points.schema().axes[static_cast<std::size_t>(policy)].choices.size() == allspark_policies().size());
}

TEST_CASE("every model runs or says why not, and its times add up") {
  AllsparkPoints points;
  const std::vector<std::string> models = workload::ModelLibrary("configs/models").vision_transformers();
  REQUIRE(models.size() >= 21);
  for (const std::string& model : models) {
    for (const std::string policy : {"branch", "patch", "head", "allspark"}) {
      const Record record = points.record(point_of(model, policy));
      INFO(model << ", " << policy << ": " << record.message);
      REQUIRE((record.status == Status::ok || record.status == Status::infeasible));
      CHECK((record.status == Status::ok) == record.message.empty());
      const double time = points.metric(record, "time");
      if (record.status == Status::infeasible) {
        CHECK(std::isnan(time));
        continue;
      }
      CHECK(time >= points.metric(record, "ideal_time"));
      CHECK(points.metric(record, "compute_time") + points.metric(record, "nonlinear_time") +
                points.metric(record, "transfer_time") + points.metric(record, "weight_sharing_time") ==
            Approx(time).epsilon(1e-12));
      const double pe_utilization = points.metric(record, "pe_utilization");
      CHECK(pe_utilization > 0);
      CHECK(pe_utilization <= 1 + 1e-12);
      double stages = 0;
      for (const Value& value : points.column(record, "stages", "time")) stages += to_real(value);
      double layers = 0;
      for (const Value& value : points.column(record, "layers", "time")) layers += to_real(value);
      CHECK(stages == Approx(time).epsilon(1e-12));
      CHECK(layers == Approx(time).epsilon(1e-12));
      CHECK(points.metric(record, "memory_used") <= 8 << 20);
    }
  }
}

TEST_CASE("the ideal execution takes the lower bound of every schedule") {
  AllsparkPoints points;
  for (const std::string model : {"vit-b", "swin-t", "cswin-l"}) {
    const Record bound = points.record(execution_of(model, "ideal"));
    const Record schedule = points.record(point_of(model, "allspark"));
    REQUIRE(bound.status == Status::ok);
    CHECK(points.metric(bound, "time") == points.metric(bound, "ideal_time"));
    CHECK(points.metric(bound, "time") == points.metric(schedule, "ideal_time"));
    CHECK(points.metric(bound, "compute_time") == points.metric(bound, "time"));
    CHECK(points.metric(bound, "pe_utilization") == Approx(1).epsilon(1e-3));
    CHECK(std::isnan(points.metric(bound, "energy")));
    CHECK(bound.tables[0].empty());
  }
}

TEST_CASE("operators run by formula without placement only") {
  AllsparkPoints points;
  AllsparkPoints::Overrides point = execution_of("swin-t", "operators");
  CHECK(points.record(point).status == Status::ok);
  point["placement"] = std::string("greedy");
  CHECK_THROWS_WITH(points.record(point), Catch::Contains("no placement"));
  point.erase("placement");
  point["fidelity"] = std::string("cycle");
  CHECK_THROWS_WITH(points.record(point), Catch::Contains("fidelity analytic"));
}

TEST_CASE("images have pixels, language models have tokens") {
  AllsparkPoints points;
  const AllsparkPoints::Overrides swin{{"model", "swin-t"}};
  const AllsparkPoints::Overrides bert{{"model", "bert-base"}};
  const auto time = [&](AllsparkPoints::Overrides point, const std::string& axis, std::int64_t size) {
    point[axis] = size;
    return points.metric(points.record(point), "time");
  };
  CHECK(time(swin, "image_px", 0) == time(swin, "image_px", 224));
  CHECK(time(swin, "image_px", 448) > time(swin, "image_px", 224));
  CHECK(time(bert, "tokens", 128) > time(bert, "tokens", 32));
  for (const std::string execution : {"schedule", "operators", "ideal"}) {
    AllsparkPoints::Overrides image = swin;
    image["execution"] = execution;
    CHECK_THROWS_WITH(time(image, "tokens", 64), Catch::Contains("set axis 'image_px' instead of 'tokens'"));
    AllsparkPoints::Overrides text = bert;
    text["execution"] = execution;
    CHECK_THROWS_WITH(time(text, "image_px", 64), Catch::Contains("set axis 'tokens' instead of 'image_px'"));
  }
}

TEST_CASE("points that take longer are expected to take longer") {
  AllsparkPoints points;
  const auto expected = [&](const AllsparkPoints::Overrides& overrides) {
    const std::vector<Value> values = points.values(overrides);
    Point point(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) point.set(i, &values[i]);
    return points.system().expected_seconds(point).value();
  };
  const double formula = expected({{"model", "swin-t"}});
  const double routers = expected({{"model", "swin-t"}, {"fidelity", "cycle"}});
  const double annealing = expected({{"model", "swin-t"}, {"placement", "annealing"}});
  CHECK(formula < routers);
  CHECK(expected({{"model", "swin-t"}, {"placement", "greedy"}}) < annealing);
  CHECK(annealing < expected({{"model", "swin-t"}, {"placement", "annealing"}, {"fidelity", "cycle"}}));
  CHECK(expected({{"model", "swin-t"}, {"policy", "allspark-ilp"}, {"ilp_time_limit", 7.0}}) == 7.0);
}

TEST_CASE("the mixed-integer program finds the same optimum") {
  AllsparkPoints points;
  for (const std::string model : {"swin-t", "pvt-s", "cswin-b"}) {
    const Record exact = points.record(point_of(model, "allspark"));
    const Record milp = points.record(point_of(model, "allspark-milp"));
    CHECK(points.metric(exact, "cycles") == points.metric(milp, "cycles"));
    CHECK(points.text(milp, "solver") != points.text(exact, "solver"));
  }
}

TEST_CASE("a point gives the same record whatever was evaluated before") {
  AllsparkPoints warm;
  for (const std::string policy : {"head", "patch", "allspark"}) warm.record(point_of("swin-s", policy, 640));
  warm.record(execution_of("swin-s", "ideal", 640));
  warm.record(execution_of("swin-s", "operators", 640));
  AllsparkPoints::Overrides other = point_of("swin-s", "allspark", 640);
  other["hardware.pe_array.rows"] = std::int64_t{16};
  warm.record(other);
  const Record after = warm.record(point_of("swin-s", "allspark", 640));
  AllsparkPoints cold;
  const Record fresh = cold.record(point_of("swin-s", "allspark", 640));
  CHECK(texts(after.metrics) == texts(fresh.metrics));
  for (std::size_t t = 0; t < fresh.tables.size(); ++t) CHECK(texts(after.tables[t]) == texts(fresh.tables[t]));
}

TEST_CASE("an infeasible point names the memory that is missing") {
  AllsparkPoints points;
  AllsparkPoints::Overrides point = point_of("swin-l", "allspark", 640);
  point["hardware.dram.bank_capacity"] = 65536.0;
  const Record record = points.record(point);
  CHECK(record.status == Status::infeasible);
  CHECK_FALSE(record.message.empty());
}

TEST_CASE("a point without meaning fails with a message") {
  AllsparkPoints points;
  AllsparkPoints::Overrides buffer = point_of("swin-t", "allspark");
  buffer["hardware.sram.buffer"] = 79.0;
  CHECK_THROWS_AS(points.record(buffer), PointError);
  CHECK_THROWS_AS(points.record(point_of("swin-t", "manual")), PointError);
}

TEST_CASE("the explanation's phases add up to what the layer costs") {
  AllsparkPoints points;
  AllsparkPoints::Overrides point = point_of("swin-t", "manual");
  // 24 groups of heads need more than 16 rows.
  point["hardware.node_array.rows"] = std::int64_t{28};
  point["schedule"] = std::string("1x2 | 2x2 | 3x7 | 24x7");
  const Explanation explanation = points.explanation(point);
  int totals = 0;
  std::int64_t phases = 0;
  for (const Explanation::Section& section : explanation.sections) {
    const bool blocks = section.title.find(" blocks)") != std::string::npos;
    const std::int64_t count = blocks ? std::stoll(section.title.substr(section.title.rfind('(') + 1)) : 0;
    for (const Explanation::Line& line : section.lines) {
      if (line.note.find(" cycles") != std::string::npos) {
        const bool once = line.name.find("phase 1:") == 0 || line.name == "D^PM" || line.name == "weight sharing, W^PM";
        phases += (once ? 1 : count) * std::stoll(line.note);
      }
      if (line.name == "total") {
        ++totals;
        CHECK(std::stoll(line.value) == phases);
        phases = 0;
      }
    }
  }
  CHECK(totals == 4);
}

TEST_CASE("a model without stages and branches is a failed point that says so") {
  AllsparkPoints points;
  CHECK_THROWS_AS(points.record(point_of("vgg-d", "allspark")), PointError);
  CHECK_THROWS_WITH(points.record(point_of("vgg-d", "allspark")),
                    Catch::Contains("vgg-d (family layers) has no stages and branches"));
}

TEST_CASE("models differ in their workload hash") {
  AllsparkPoints points;
  std::set<std::string> hashes;
  const std::vector<std::string> models = points.schema().axes[0].choices;
  for (const std::string& model : models) {
    const std::vector<Value> values = points.values(execution_of(model, "ideal"));
    Point point(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) point.set(i, &values[i]);
    hashes.insert(points.system().workload_hash(point).text());
  }
  CHECK(hashes.size() == models.size());
}

TEST_CASE("cycles beyond 64 bits are refused again and again, never stored") {
  AllsparkPoints points;
  for (const char* policy : {"branch", "patch", "head", "allspark"}) {
    INFO(policy);
    AllsparkPoints::Overrides slow = point_of("swin-b", policy, 960);
    slow["hardware.clock"] = 1e12;
    slow["hardware.noc.link_bandwidth"] = 1.0;
    slow["batch"] = std::int64_t{65536};
    // What is kept from the first try must not answer the second one.
    CHECK_THROWS_AS(points.record(slow), OverflowError);
    CHECK_THROWS_AS(points.record(slow), OverflowError);
  }
}
