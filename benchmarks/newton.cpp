#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "base/csv.h"
#include "base/posix_file.h"
#include "sweep/hardware_file.h"
#include "systems/parts/parts.h"

// The artifact's rows as points of the system: one iteration of all_rows evaluates every one of them. Run from the
// project's folder.

namespace {

using namespace pimsweep::systems;
using namespace pimsweep;

/// Points and the values that they point to.
struct Rows {
  std::vector<std::vector<Value>> values;
  std::vector<Point> points;
};

/// The rows of newton_cycles.csv whose column `only`, if there is one, holds `text`.
Rows rows_of(const Schema& schema, const std::string& controller, const std::string& fidelity,
             const std::string& only = {}, const std::string& text = {}) {
  const std::string path = "results/reference/newton/newton_cycles.csv";
  const CsvTable table = parse_csv(read_file(path), path);
  const sweep::HardwareFile hardware = sweep::load_hardware("newton-GDDR6_3500", schema, "configs");
  Rows rows;
  for (const auto& row : table.rows) {
    if (!only.empty() && row[static_cast<std::size_t>(table.column(only))].text != text) continue;
    std::vector<Value> values;
    for (const Axis& axis : schema.axes) {
      const int column = table.column(axis.name);
      if (axis.name == "controller") {
        values.emplace_back(controller);
      } else if (axis.name == "fidelity") {
        values.emplace_back(fidelity);
      } else if (column >= 0) {
        values.emplace_back(std::int64_t{std::stoll(row[static_cast<std::size_t>(column)].text)});
      } else if (const sweep::HardwareConstant* constant = hardware.find(axis)) {
        values.push_back(constant->value);
      } else {
        values.push_back(*axis.default_value);
      }
    }
    rows.values.push_back(std::move(values));
  }
  for (const std::vector<Value>& values : rows.values) {
    Point& point = rows.points.emplace_back(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) point.set(i, &values[i]);
  }
  return rows;
}

void evaluate(benchmark::State& state, System& system, const Rows& rows) {
  Record record;
  for (auto _ : state) {
    for (const Point& point : rows.points) {
      record.reset(system.schema());
      system.evaluate(point, record);
      benchmark::DoNotOptimize(record);
    }
  }
  state.counters["points"] = static_cast<double>(rows.points.size());
  state.counters["per_point"] =
      benchmark::Counter(static_cast<double>(rows.points.size()),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

}  // namespace

int main(int argc, char** argv) {
  const std::unique_ptr<System> system = parts::make_newton("configs");
  std::vector<Rows> kept;
  kept.reserve(8);
  const auto add = [&](const std::string& name, Rows rows) {
    const Rows& stays = kept.emplace_back(std::move(rows));
    benchmark::RegisterBenchmark(name.c_str(), [&](benchmark::State& state) {
      evaluate(state, *system, stays);
    })->Unit(benchmark::kMillisecond);
  };
  for (const std::string controller : {"artifact", "paper"}) {
    for (const std::string fidelity : {"closed-form", "cycle"}) {
      add("all_rows/" + controller + "/" + fidelity, rows_of(system->schema(), controller, fidelity));
    }
    add("mobilenet/" + controller + "/closed-form",
        rows_of(system->schema(), controller, "closed-form", "model", "mobilenet-v2"));
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
