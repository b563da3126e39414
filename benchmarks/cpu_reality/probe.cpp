#include "probe.h"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <thread>
#include <vector>

#include "gemm.h"
#include "hardware/manycore/operations.h"
#include "hardware/manycore/run_time.h"

namespace {

#if defined(__AVX512F__)
constexpr int lanes = 16;
constexpr int registers = 32;
#elif defined(__AVX__)
constexpr int lanes = 8;
constexpr int registers = 16;
#else
constexpr int lanes = 4;
constexpr int registers = 16;
#endif

/// Multiply-adds begun in a cycle, their latency and the instructions of a cycle, as on most x86 and ARM server cores.
constexpr double fma_units = 2;
constexpr double fma_latency = 4;
constexpr double issue_width = 4;

using Vector = float __attribute__((vector_size(lanes * sizeof(float))));

volatile float sink;

/// Operations per second of `threads` threads, each in a loop of independent multiply-adds.
double multiply_add_rate(int threads, double budget) {
  constexpr int chains = 10;
  constexpr int rounds = 200000;
  const double seconds = shortest(budget, [&] {
#pragma omp parallel num_threads(threads)
    {
      // All different, or the compiler keeps one.
      Vector sums[chains];
      for (int chain = 0; chain < chains; ++chain) sums[chain] = Vector{} + sink + static_cast<float>(chain);
      const Vector factor = Vector{} + 0.999F;
      const Vector term = Vector{} + sink;
      for (int i = 0; i < rounds; ++i) {
#pragma GCC unroll 10
        for (Vector& sum : sums) sum = sum * factor + term;
      }
      Vector all = {};
      for (const Vector& sum : sums) all += sum;
      sink = all[0];
    }
  });
  return 2.0 * lanes * chains * rounds * threads / seconds;
}

/// Bytes of the last cache. In a virtual machine, the kernel reports its share, the processor the whole cache.
double last_cache() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
  double kibibytes = 0;
  if (file >> kibibytes) return kibibytes * 1024;
  return static_cast<double>(std::max(1L << 20, sysconf(_SC_LEVEL3_CACHE_SIZE)));
}

/// Bytes per second of y += a x over arrays of `elements` elements.
double bandwidth(int threads, long elements, double budget) {
  std::vector<float> x(static_cast<std::size_t>(elements), 1.0F);
  std::vector<float> y = x;
  const double seconds = shortest(budget, [&] { scale_and_add(threads, elements, 0.5F, x.data(), y.data()); });
  return 3.0 * sizeof(float) * static_cast<double>(elements) / seconds;
}

/// Typical time of a parallel region with hardly any work; the minimum would be misleading, since threads sometimes
/// meet early by chance.
double parallel_region(int threads, double budget) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  float x[64] = {};
  float y[64] = {};
  for (const auto start = Clock::now();
       times.size() < 3 || Clock::now() - start < std::chrono::duration<double>(budget);) {
    const auto begin = Clock::now();
    scale_and_add(threads, 64, 1, x, y);
    times.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

}  // namespace

void scale_and_add(int threads, long elements, float factor, const float* x, float* y) {
#pragma omp parallel for simd num_threads(threads) schedule(static)
  for (long i = 0; i < elements; ++i) y[i] += factor * x[i];
}

pimsweep::hardware::manycore::Device probe(double budget) {
  const int threads = omp_get_num_procs();
  const double alone_rate = multiply_add_rate(1, budget);
  pimsweep::hardware::manycore::Device device;
  // Virtual machines often hide that two processors are threads of one core.
  device.cores = std::clamp(std::round(multiply_add_rate(threads, budget) / alone_rate), 1.0, 1.0 * threads);
  device.smt = std::ceil(threads / device.cores);
  device.cores_per_tile = device.cores;
  device.lanes = lanes;
  device.registers = registers;
  device.fma_units = fma_units;
  device.fma_latency_cycles = fma_latency;
  device.issue_width = issue_width;
  device.clock = alone_rate / (2 * lanes * fma_units);
  device.tile_cache = last_cache();
  // No cache holds the first of these arrays; the last one holds the second, the ones before it do not.
  const long large = std::max(16L << 20, static_cast<long>(device.tile_cache));
  const long small = std::max(1L << 16, static_cast<long>(device.tile_cache / 256));
  device.core_bandwidth = bandwidth(1, large, budget);
  device.memory_bandwidth = std::max(device.core_bandwidth, bandwidth(threads, large, budget));
  device.cache_bandwidth = std::max(device.core_bandwidth, bandwidth(1, small, budget));
  device.memory_efficiency = 1;
  const double alone = parallel_region(1, budget);
  if (threads > 1) device.line_transfer = std::max(0.0, parallel_region(threads, budget) - alone) / (2 * (threads - 1));
  device.spawn = shortest(budget, [] { std::thread([] { sink = 0; }).join(); });

  // Share of the peak for which the model's time of one GEMM equals the measured one.
  constexpr int size = 384;
  const std::vector<float> a(std::size_t{size} * size, 1.0F);
  const std::vector<float> b = a;
  std::vector<float> c = a;
  const double measured = shortest(budget, [&] { multiply(1, size, size, size, a.data(), b.data(), c.data()); });
  using namespace pimsweep::hardware::manycore;
  using namespace pimsweep;
  const Work work = Operations(device, Library::mkl_dnn).gemm(size, size, size);
  const RunTime model = run_time(device, work, place(device, 1, Affinity::compact));
  device.sustained = model.compute / std::max(measured - (model.total - model.compute), 0.1 * measured);
  return device;
}
