#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "gemm.h"
#include "hardware/manycore/operations.h"
#include "hardware/manycore/run_time.h"
#include "probe.h"

// The many-core model (docs/manycore.md) on the machine at hand: a short probe configures it, then GEMMs and
// element-wise operations with 1 to n threads are timed and compared.

namespace {

using namespace pimsweep::hardware::manycore;
using namespace pimsweep;

struct Comparison {
  std::string operation;
  int threads = 1;
  double measured = 0;
  double model = 0;

  double deviation() const { return model / measured - 1; }
};

struct Product {
  int rows;
  int columns;
  int depth;
};

// Few milliseconds at most, so that the shortest of many runs found the cores free on a machine that others use too.
constexpr Product products[] = {{96, 96, 96},   {128, 128, 128},  {256, 256, 256}, {512, 512, 512},
                                {880, 64, 880}, {1024, 16, 1024}, {64, 2048, 512}, {128, 128, 4096}};
constexpr long lengths[] = {1L << 14, 1L << 16, 1L << 18, 1L << 20, 1L << 22};

double model_of(const Device& device, const Work& work, int threads) {
  return run_time(device, work, place(device, threads, Affinity::compact)).total;
}

std::vector<Comparison> compare(const Device& device, double budget) {
  const Operations make(device, Library::mkl_dnn);
  const int most = static_cast<int>(device.cores * device.smt);
  std::vector<Comparison> all;
  for (const Product& p : products) {
    const auto size = [](int x, int y) { return static_cast<std::size_t>(x) * static_cast<std::size_t>(y); };
    const std::vector<float> a(size(p.rows, p.depth), 1.0F);
    const std::vector<float> b(size(p.depth, p.columns), 1.0F);
    std::vector<float> c(size(p.rows, p.columns), 1.0F);
    for (int threads = 1; threads <= most; ++threads) {
      const double measured =
          shortest(budget, [&] { multiply(threads, p.rows, p.columns, p.depth, a.data(), b.data(), c.data()); });
      all.push_back({fmt::format("gemm {}x{}x{}", p.rows, p.columns, p.depth), threads, measured,
                     model_of(device, make.gemm(p.rows, p.columns, p.depth), threads)});
    }
  }
  for (const long length : lengths) {
    const std::vector<float> x(static_cast<std::size_t>(length), 1.0F);
    std::vector<float> y = x;
    for (int threads = 1; threads <= most; ++threads) {
      const double measured = shortest(budget, [&] { scale_and_add(threads, length, 0.5F, x.data(), y.data()); });
      all.push_back({fmt::format("elementwise {}", length), threads, measured,
                     model_of(device, make.elementwise(static_cast<double>(length), 2, 1, 1), threads)});
    }
  }
  return all;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

void print_median(const std::vector<Comparison>& all, const std::string& kind) {
  std::vector<double> deviations;
  for (const Comparison& one : all) {
    if (one.operation.starts_with(kind)) deviations.push_back(std::abs(one.deviation()));
  }
  fmt::print("{}: median absolute deviation {:.1f} % of {} times\n", kind, 100 * median(deviations), deviations.size());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Times of GEMMs and element-wise operations on this machine, measured and by the many-core model"};
  std::string csv;
  double budget = 0.2;
  app.add_option("--csv", csv, "also write the table to this file");
  app.add_option("--seconds", budget, "for each measurement")->check(CLI::Range(1e-4, 60.0));
  CLI11_PARSE(app, argc, argv);
  // Threads are bound to cores, and sleep when they wait: where others use the cores too, two of them may else run on
  // one core, and one that spins is soon out of its share of time. The OpenMP library reads this at its start only.
  if (getenv("CPU_REALITY_STARTED") == nullptr) {
    setenv("OMP_WAIT_POLICY", "passive", 0);
    setenv("OMP_PROC_BIND", "true", 0);
    setenv("CPU_REALITY_STARTED", "1", 1);
    execv("/proc/self/exe", argv);
  }

  const Device device = probe(budget);
  double load = 0;
  getloadavg(&load, 1);
  fmt::print("{} cores with {} threads each; load of the last minute {:.1f}\n", device.cores, device.smt, load);
  fmt::print("a core: {:.3g} GFLOP/s, sustained {:.2f}; {:.3g} GB/s from memory, {:.3g} GB/s from the last cache\n",
             device.core_rate() / 1e9, device.sustained, device.core_bandwidth / 1e9, device.cache_bandwidth / 1e9);
  fmt::print("all: {:.3g} GB/s from memory; ", device.memory_bandwidth / 1e9);
  fmt::print("last cache {:.3g} MiB; line transfer {:.3g} ns; thread creation {:.3g} us; products by {}\n\n",
             device.tile_cache / (1 << 20), device.line_transfer * 1e9, device.spawn * 1e6, gemm_library());

  const std::vector<Comparison> all = compare(device, budget);
  fmt::print("{:22} {:>7} {:>13} {:>10} {:>10}\n", "operation", "threads", "measured [ms]", "model [ms]", "deviation");
  for (const Comparison& one : all) {
    fmt::print("{:22} {:7} {:13.4f} {:10.4f} {:+9.1f} %\n", one.operation, one.threads, one.measured * 1e3,
               one.model * 1e3, 100 * one.deviation());
  }
  fmt::print("\n");
  print_median(all, "gemm");
  print_median(all, "elementwise");
  if (csv.empty()) return 0;
  std::ofstream file(csv);
  file << "operation,threads,measured_ms,model_ms\n";
  for (const Comparison& one : all) {
    file << fmt::format("{},{},{:.6g},{:.6g}\n", one.operation, one.threads, one.measured * 1e3, one.model * 1e3);
  }
  file.close();
  if (file.good()) return 0;
  fmt::print(stderr, "cpu_reality: cannot write '{}'\n", csv);
  return 1;
}
