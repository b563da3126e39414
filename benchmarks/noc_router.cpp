#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "base/threads.h"
#include "hardware/noc/router/flows.h"
#include "hardware/noc/router/link_loads.h"
#include "hardware/noc/router/synthetic_traffic.h"
#include "hardware/noc/router/traffic_estimate.h"

// The rows of results/reference/noc/booksim_speed.csv: a 16 x 16 mesh under uniform traffic. flit_hops is flits that
// pass a router in a second, as there; of a saturated network, those of the run for its accepted rate.

namespace {

using namespace pimsweep::hardware::noc::router;
using namespace pimsweep;

RouterSettings speed_settings() {
  RouterSettings settings;
  settings.credit_delay = 1;
  return settings;
}

void cycle(benchmark::State& state) {
  const Lattice mesh(Topology::mesh, 16, 2);
  SyntheticTraffic traffic;
  traffic.packet_size = static_cast<unsigned>(state.range(0));
  traffic.injection_rate = static_cast<double>(state.range(1)) / 100;
  double hops = 0;
  double cycles = 0;
  for (auto _ : state) {
    const TrafficResult result = simulate(mesh, speed_settings(), traffic);
    hops += static_cast<double>(result.flit_hops);
    cycles += static_cast<double>(result.cycles);
    ++traffic.seed;
  }
  state.counters["flit_hops"] = benchmark::Counter(hops, benchmark::Counter::kIsRate);
  state.counters["cycles"] = benchmark::Counter(cycles, benchmark::Counter::kIsRate);
}
BENCHMARK(cycle)->ArgNames({"flits", "percent"})->ArgsProduct({{1, 8}, {5, 20, 40}})->Unit(benchmark::kMillisecond);

/// Larger networks, and threads in a point: wall time, as the threads share the work.
void size_and_threads(benchmark::State& state) {
  const auto radix = static_cast<unsigned>(state.range(0));
  const Lattice mesh(Topology::mesh, radix, 2);
  SyntheticTraffic traffic;
  // Half of the load that saturates the bisection.
  traffic.injection_rate = 2.0 / radix;
  traffic.sample_period = 400;
  const PointThreads threads(static_cast<unsigned>(state.range(1)));
  double hops = 0;
  for (auto _ : state) {
    hops += static_cast<double>(simulate(mesh, speed_settings(), traffic).flit_hops);
  }
  state.counters["flit_hops"] = benchmark::Counter(hops, benchmark::Counter::kIsRate);
}
BENCHMARK(size_and_threads)
    ->ArgNames({"k", "threads"})
    ->ArgsProduct({{16, 32, 64}, {1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void analytic(benchmark::State& state) {
  const Lattice mesh(Topology::mesh, 16, 2);
  const LinkLoads loads(mesh, TrafficPattern("uniform", mesh));
  const SyntheticTraffic traffic;
  for (auto _ : state) benchmark::DoNotOptimize(estimate(mesh, speed_settings(), traffic, loads));
}
BENCHMARK(analytic)->Unit(benchmark::kMicrosecond);

/// Cost of a network with one packet at a time: idle parts should be free.
void one_packet_at_a_time(benchmark::State& state) {
  const auto radix = static_cast<unsigned>(state.range(0));
  const Lattice mesh(Topology::mesh, radix, 2);
  std::vector<Transfer> transfers(1000);
  for (std::uint32_t i = 0; i < transfers.size(); ++i) {
    transfers[i] = {0, 7, 8, 0, {}};
    if (i > 0) transfers[i].after.push_back(i - 1);
  }
  double hops = 0;
  for (auto _ : state) {
    hops += static_cast<double>(simulate_flows(mesh, speed_settings(), PacketFormat{}, transfers).flit_hops);
  }
  state.counters["flit_hops"] = benchmark::Counter(hops, benchmark::Counter::kIsRate);
}
BENCHMARK(one_packet_at_a_time)->ArgName("k")->Arg(8)->Arg(16)->Arg(64)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
