#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/csv.h"
#include "base/error.h"
#include "base/posix_file.h"
#include "systems/parts/parts.h"

using namespace pimsweep::systems::parts;
using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

/// A row of the reference, and what the system makes of it.
struct Row {
  std::string curve;
  std::map<std::string, std::string> cells;
  std::vector<Value> values;

  double number(const std::string& column) const { return std::stod(cells.at(column)); }
  bool saturated() const { return number("saturated") != 0; }
};

std::vector<Row> reference(const Schema& schema) {
  const std::string path = "results/reference/noc/booksim_reference.csv";
  const CsvTable table = parse_csv(read_file(path), path);
  std::vector<Row> rows;
  for (const auto& cells : table.rows) {
    Row row;
    for (std::size_t i = 0; i < cells.size(); ++i) row.cells[table.header[i].text] = cells[i].text;
    row.curve = row.cells["case_id"].substr(0, row.cells["case_id"].find('_'));
    for (const Axis& axis : schema.axes) {
      const auto cell = row.cells.find(axis.name);
      if (cell == row.cells.end()) {
        row.values.push_back(*axis.default_value);
      } else if (axis.type == ValueType::integer) {
        row.values.emplace_back(std::int64_t{std::stoll(cell->second)});
      } else if (axis.type == ValueType::real) {
        row.values.emplace_back(std::stod(cell->second));
      } else {
        row.values.emplace_back(cell->second);
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Record evaluate(System& system, const std::vector<Value>& values) {
  Point point(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) point.set(i, &values[i]);
  Record record;
  record.reset(system.schema());
  system.evaluate(point, record);
  CHECK(record.status == Status::ok);
  return record;
}

double metric(const System& system, const Record& record, const std::string& name) {
  return to_real(record.metrics.at(static_cast<std::size_t>(system.schema().metric_index(name))));
}

void set(System& system, std::vector<Value>& values, const std::string& axis, Value value) {
  values.at(static_cast<std::size_t>(system.schema().axis_index(axis))) = std::move(value);
}

std::vector<Value> defaults(const System& system) {
  std::vector<Value> values;
  for (const Axis& axis : system.schema().axes) values.push_back(*axis.default_value);
  return values;
}

/// The largest accepted rate of each curve.
std::map<std::string, double> capacities(const std::vector<Row>& rows) {
  std::map<std::string, double> capacity;
  for (const Row& row : rows) {
    capacity[row.curve] = std::max(capacity[row.curve], row.number("accepted_flit_rate"));
  }
  return capacity;
}

/// Number of rows below 85 % of capacity, and how many of them are within 3 %; saturated ones are within 5 %.
struct Agreement {
  int low = 0;
  int near = 0;
};

Agreement compare(System& system, const std::vector<Row>& rows, const std::set<std::string>& curves) {
  const std::map<std::string, double> capacity = capacities(rows);
  Agreement agreement;
  for (const Row& row : rows) {
    if (!curves.empty() && curves.count(row.curve) == 0) continue;
    INFO(row.cells.at("case_id"));
    const Record record = evaluate(system, row.values);
    if (row.saturated()) {
      const double accepted = metric(system, record, "accepted_flit_rate");
      CHECK(accepted == Approx(row.number("accepted_flit_rate")).epsilon(0.05));
    } else if (row.number("injection_rate") < 0.85 * capacity.at(row.curve)) {
      const double deviation = metric(system, record, "avg_packet_latency") / row.number("avg_packet_latency") - 1;
      CHECK(metric(system, record, "saturated") == 0);
      ++agreement.low;
      agreement.near += std::abs(deviation) <= 0.03 ? 1 : 0;
      // Few packets: what is left is their random number of hops.
      CHECK(std::abs(deviation) <= 0.06);
    }
    // On a torus of eight nodes a ring, tornado goes three hops in each dimension, always.
    if (row.curve == "G3" && !row.saturated()) CHECK(metric(system, record, "avg_hops") == 7);
  }
  return agreement;
}

}  // namespace

TEST_CASE("zero-load latency of the reference", "[noc]") {
  const std::unique_ptr<System> system = make_noc("configs");
  const std::vector<Row> rows = reference(system->schema());
  REQUIRE(rows.size() == 212);
  std::set<std::string> seen;
  for (const Row& row : rows) {
    // The curves whose lowest row is there.
    if (!row.cells.at("case_id").ends_with("_1") || !seen.insert(row.curve).second) continue;
    INFO(row.cells.at("case_id"));
    std::vector<Value> values = row.values;
    set(*system, values, "fidelity", std::string("analytic"));
    const Record record = evaluate(*system, values);
    // The reference's own random packets have slightly other hops: each takes a router and a link.
    const double per_hop = row.number("routing_delay") + (row.number("speculative") != 0 ? 1 : 2) +
                           row.number("st_final_delay") + (row.cells.at("topology") == "torus" ? 2 : 1);
    const double hops = row.number("avg_hops") - metric(*system, record, "avg_hops");
    const double expected = metric(*system, record, "zero_load_latency") + hops * per_hop;
    CHECK(row.number("avg_packet_latency") == Approx(expected).epsilon(0.015));
    CHECK(row.number("avg_packet_latency") > expected - 0.05);
  }
  CHECK(seen.size() == 31);
}

TEST_CASE("curves of the reference", "[noc]") {
  const std::unique_ptr<System> system = make_noc("configs");
  const Agreement agreement = compare(*system, reference(system->schema()), {"E1", "E2", "G3", "H3"});
  CHECK(agreement.near >= 0.95 * agreement.low);
  CHECK(agreement.low > 15);
}

TEST_CASE("all of the reference", "[.][reference]") {
  const std::unique_ptr<System> system = make_noc("configs");
  const Agreement agreement = compare(*system, reference(system->schema()), {});
  CHECK(agreement.near >= 0.95 * agreement.low);
  CHECK(agreement.low > 130);
}

TEST_CASE("a network that is not possible is a failed point with the reason", "[noc]") {
  const std::unique_ptr<System> system = make_noc("configs");
  const auto message = [&](const std::string& axis, Value value) -> std::string {
    std::vector<Value> values = defaults(*system);
    set(*system, values, "topology", std::string("torus"));
    set(*system, values, axis, std::move(value));
    Point point(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) point.set(i, &values[i]);
    Record record;
    record.reset(system->schema());
    try {
      system->evaluate(point, record);
    } catch (const PointError& error) {
      return error.what();
    }
    return "";
  };
  CHECK_THAT(message("num_vcs", std::int64_t{3}), Catch::Contains("must be even"));
  CHECK_THAT(message("num_vcs", std::int64_t{32}), Catch::Contains("at most 25 are allowed"));
  CHECK_THAT(message("k", std::int64_t{1000}), Catch::Contains("at most 16384"));
  CHECK_THAT(message("routing", std::string("dor")), Catch::Contains("dim_order"));
  CHECK_THAT(message("routing", std::string("up_down")), Catch::Contains("dim_order"));
  CHECK_THAT(message("traffic", std::string("unifrom")), Catch::Contains("did you mean 'uniform'?"));
  CHECK(message("routing", std::string("dim_order")).empty());
}

TEST_CASE("a sample period that is too short for the network is infeasible, and the default is long enough", "[noc]") {
  const std::unique_ptr<System> system = make_noc("configs");
  std::vector<Value> values = defaults(*system);
  set(*system, values, "k", std::int64_t{16});
  set(*system, values, "sample_period", std::int64_t{52});
  Point point(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) point.set(i, &values[i]);
  Record record;
  record.reset(system->schema());
  system->evaluate(point, record);
  CHECK(record.status == Status::infeasible);
  CHECK_THAT(record.message, Catch::Contains("sample_period is 52 cycles") && Catch::Contains("at least 53"));
  // A formula has no sample period.
  set(*system, values, "fidelity", std::string("analytic"));
  evaluate(*system, values);
  // Packets so long that three periods of 500 cycles would not be enough for one.
  set(*system, values, "fidelity", std::string("cycle"));
  set(*system, values, "sample_period", std::int64_t{0});
  set(*system, values, "k", std::int64_t{9});
  set(*system, values, "packet_size", std::int64_t{2000});
  set(*system, values, "injection_rate", 0.1);
  evaluate(*system, values);
}

TEST_CASE("the analytic estimate is near at little load", "[noc]") {
  const std::unique_ptr<System> system = make_noc("configs");
  for (const char* topology : {"mesh", "torus", "h-tree"}) {
    for (const std::int64_t size : {1, 4}) {
      std::vector<Value> values = defaults(*system);
      set(*system, values, "topology", std::string(topology));
      set(*system, values, "packet_size", size);
      set(*system, values, "k", std::int64_t{4});
      set(*system, values, "injection_rate", 0.1);
      const Record cycle = evaluate(*system, values);
      set(*system, values, "fidelity", std::string("analytic"));
      const Record analytic = evaluate(*system, values);
      CHECK(metric(*system, analytic, "avg_packet_latency") ==
            Approx(metric(*system, cycle, "avg_packet_latency")).epsilon(0.03));
    }
  }
}
