#include <benchmark/benchmark.h>

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/csv.h"
#include "base/posix_file.h"
#include "sweep/hardware_file.h"
#include "systems/parts/parts.h"

// The rows that Ramulator 2.1 was run on as points of the system, by pattern and DRAM: one iteration simulates all of
// them. `reference` is the requests per second of Ramulator's simulation loop, `times` how often it goes into ours. Run
// from the project's folder.

namespace {

using namespace pimsweep::systems;
using namespace pimsweep;

/// Shorter rows time the clock more than the simulation.
constexpr std::int64_t min_requests = 5000;

/// Points with the values that they point to, and what the reference took for them.
struct Rows {
  std::deque<std::vector<Value>> values;
  std::vector<Point> points;
  double requests = 0;
  double seconds = 0;
};

/// The value of a cell for an axis of the system.
Value cell_value(const Axis& axis, const std::string& cell) {
  if (cell.empty()) return *axis.default_value;
  if (axis.type == ValueType::integer) return Value{std::int64_t{std::stoll(cell)}};
  return Value{cell};
}

using Name = std::pair<std::string, std::string>;

std::map<Name, Rows> reference_rows(const Schema& schema) {
  const std::string path = "results/reference/dram/dram_reference.csv";
  const CsvTable table = parse_csv(read_file(path), path);
  const auto cell = [&](const auto& row, const std::string& column) {
    return row[static_cast<std::size_t>(table.column(column))].text;
  };
  std::map<std::string, sweep::HardwareFile> files;
  std::map<Name, Rows> result;
  for (const auto& row : table.rows) {
    if (std::stoll(cell(row, "requests")) < min_requests) continue;
    const std::string hardware = cell(row, "hardware");
    if (!files.contains(hardware)) files.emplace(hardware, sweep::load_hardware(hardware, schema, "configs"));
    Rows& rows = result[{cell(row, "pattern"), hardware}];
    std::vector<Value>& values = rows.values.emplace_back();
    for (const Axis& axis : schema.axes) {
      const sweep::HardwareConstant* constant = files.at(hardware).find(axis);
      if (constant != nullptr) {
        values.push_back(constant->value);
      } else {
        values.push_back(table.column(axis.name) < 0 ? *axis.default_value : cell_value(axis, cell(row, axis.name)));
      }
    }
    Point& point = rows.points.emplace_back(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) point.set(i, &values[i]);
    rows.requests += std::stod(cell(row, "requests"));
    rows.seconds += std::stod(cell(row, "wall_seconds"));
  }
  return result;
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
  const auto rate = [](double value) {
    return benchmark::Counter(value, benchmark::Counter::kIsIterationInvariantRate);
  };
  state.counters["requests"] = rate(rows.requests);
  state.counters["reference"] = rows.requests / rows.seconds;
  state.counters["times"] = rate(rows.seconds);
}

}  // namespace

int main(int argc, char** argv) {
  const std::unique_ptr<System> system = parts::make_dram("configs");
  const std::map<Name, Rows> all = reference_rows(system->schema());
  for (const auto& [name, rows] : all) {
    benchmark::RegisterBenchmark((name.first + "/" + name.second).c_str(), [&,
                                                                            &stored = rows](benchmark::State& state) {
      evaluate(state, *system, stored);
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
