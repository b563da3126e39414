#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/csv.h"
#include "base/posix_file.h"
#include "base/words.h"
#include "hardware/dram/controller.h"
#include "hardware/dram/machine.h"
#include "hardware/dram/simulation.h"
#include "sweep/hardware_file.h"
#include "systems/parts/dram_point.h"
#include "systems/parts/parts.h"

// Run from the project's folder.
//
// PATTERN/DRAM: the rows that Ramulator 2.1 was run on as points of the system; one iteration simulates all of them.
// `reference` is the requests per second of Ramulator's simulation loop, `times` how often it goes into ours.
//
// stream/PATTERN/DRAM/REQUESTS: a regular pattern request by request and with whole periods skipped, alternately.
// `each` and `skipping` are the least seconds of a request, `times` is the median ratio of neighbors in time.
//
// draws/PATTERN/DRAM/reads:PERCENT: requests whose places are drawn, of which so many read.

namespace {

using namespace pimsweep::systems;
using namespace pimsweep;

/// Shorter rows time the clock more than the simulation.
constexpr std::int64_t min_requests = 5000;

/// Points with the values that they refer to, and the time of the reference.
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
    if (std::stoll(cell(row, "requests")) < min_requests || cell(row, "wall_seconds").empty()) continue;
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

namespace dram = hardware::dram;

/// The channel that a file of hardware describes.
dram::Dram channel_of(const std::string& hardware) {
  AxisTable<parts::DramSettings> axes;
  parts::add_axes(axes, axes.layout());
  Schema schema;
  schema.axes = axes.axes();
  const sweep::HardwareFile file = sweep::load_hardware(hardware, schema, "configs");
  std::vector<Value> values;
  for (const Axis& axis : schema.axes) {
    const sweep::HardwareConstant* constant = file.find(axis);
    values.push_back(constant == nullptr ? *axis.default_value : constant->value);
  }
  Point point(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) point.set(i, &values[i]);
  return parts::read_settings(axes, point).channel;
}

/// Processor time, which other work on the machine does not count in.
double seconds_of(const std::function<void()>& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

void simulate_stream(benchmark::State& state, const dram::Dram& channel, const dram::Traffic& traffic) {
  std::vector<double> each;
  std::vector<double> skipping;
  std::vector<double> ratios;
  dram::Result all;
  dram::Result skipped;
  for (auto _ : state) {
    each.push_back(seconds_of([&] { all = dram::simulate(channel, {.skip_periods = false}, traffic); }));
    skipping.push_back(seconds_of([&] { skipped = dram::simulate(channel, {}, traffic); }));
    state.SetIterationTime(skipping.back());
    ratios.push_back(each.back() / std::max(skipping.back(), 1e-6));
  }
  if (!(all == skipped)) state.SkipWithError("skipping changes the results");
  const auto requests = static_cast<double>(traffic.requests);
  std::ranges::sort(ratios);
  state.counters["each"] = *std::ranges::min_element(each) / requests;
  state.counters["skipping"] = *std::ranges::min_element(skipping) / requests;
  state.counters["times"] = ratios[ratios.size() / 2];
}

void simulate_draws(benchmark::State& state, const dram::Dram& channel, const dram::Traffic& traffic) {
  for (auto _ : state) benchmark::DoNotOptimize(dram::simulate(channel, {}, traffic));
  state.counters["requests"] =
      benchmark::Counter(static_cast<double>(traffic.requests), benchmark::Counter::kIsIterationInvariantRate);
}

void add_draws(const std::string& title, const dram::Dram& channel, dram::Pattern pattern) {
  for (const std::int64_t reads : {100, 67}) {
    dram::Traffic traffic;
    traffic.pattern = pattern;
    traffic.requests = 200'000;
    if (reads < 100) traffic.mix = {dram::ReadMix::Kind::random, reads};
    benchmark::RegisterBenchmark((title + "/reads:" + std::to_string(reads)).c_str(), [=](benchmark::State& state) {
      simulate_draws(state, channel, traffic);
    })->Unit(benchmark::kMillisecond);
  }
}

/// Traffic of the simulator alone, without the system.
void add_traffic() {
  for (const char* hardware : {"dram-DDR4_2400R", "dram-GDDR6_14000", "dram-HBM2_2000", "dram-HMC_vault"}) {
    const dram::Dram channel = channel_of(hardware);
    for (const auto& [name, pattern] : dram::pattern_words) {
      if (dram::draws_places(pattern)) {
        add_draws("draws/" + std::string(name) + "/" + hardware, channel, pattern);
        continue;
      }
      for (std::int64_t requests : {10'000, 100'000, 1'000'000, 10'000'000}) {
        const std::string title = "stream/" + std::string(name) + "/" + hardware + "/" + std::to_string(requests);
        dram::Traffic traffic;
        traffic.pattern = pattern;
        traffic.requests = requests;
        benchmark::RegisterBenchmark(title.c_str(),
                                     [=](benchmark::State& state) { simulate_stream(state, channel, traffic); })
            ->Unit(benchmark::kMillisecond)
            ->UseManualTime()
            ->Iterations(5);
      }
    }
  }
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
  add_traffic();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
