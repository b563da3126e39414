#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>

#include "hardware/gpu/gpu_model.h"

/// Random cards and layers for tests of laws.
namespace pimsweep::hardware::gpu {

/// Round numbers, so that times can be worked out by hand; no card.
inline Device plain_device() {
  return {.library = Library::cuda10,
          .clock = 1e9,
          .multiprocessors = 10,
          .fp32_rate = 128,
          .tensor_rate = 1024,
          .int8_rate = 512,
          .int8_tensor_rate = 2048,
          .load_lanes = 32,
          .registers = 65536,
          .shared_memory = 65536,
          .threads = 1024,
          .blocks = 16,
          .cache_capacity = 1 << 20,
          .cache_bytes_per_cycle = 1024,
          .memory_bandwidth = 100e9,
          .memory_efficiency = 0.8,
          .memory_latency_cycles = 500,
          .sustained = 0.9,
          .launch = 5e-6,
          .stall = 0.3,
          .skinny = 0.15,
          .idle_power = 10,
          .fp32_energy = 10e-12,
          .tensor_energy = 1e-12,
          .int8_energy = 2e-12,
          .cache_energy = 8e-12,
          .memory_energy = 40e-12};
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : generator_(seed) {}
  double real(double from, double to) {
    return from * std::exp(std::uniform_real_distribution<double>(0, std::log(to / from))(generator_));
  }
  double count(double from, double to) { return std::floor(real(from, to + 1)); }
  template <typename T, std::size_t n>
  T one_of(const std::array<T, n>& all) {
    return all[std::uniform_int_distribution<std::size_t>(0, n - 1)(generator_)];
  }

 private:
  std::mt19937_64 generator_;
};

inline Device random_device(Draw& draw) {
  Device d = plain_device();
  d.library = draw.one_of(
      std::array{Library::cuda8, Library::cuda10, Library::cuda12, Library::cudnn8_fixed, Library::cutlass1});
  d.clock = draw.real(0.5e9, 2e9);
  d.multiprocessors = draw.count(1, 128);
  d.fp32_rate = draw.one_of(std::array{128.0, 256.0});
  d.fp16_rate = draw.one_of(std::array{0.0, 2 * d.fp32_rate});
  d.tensor_rate = draw.one_of(std::array{0.0, 512.0, 1024.0});
  d.int8_rate = draw.one_of(std::array{0.0, 512.0});
  d.int8_tensor_rate = d.int8_rate > 0 ? draw.one_of(std::array{0.0, 2048.0}) : 0;
  d.shared_memory = draw.one_of(std::array{64.0, 96.0}) * 1024;
  d.threads = draw.one_of(std::array{1024.0, 2048.0});
  d.cache_capacity = draw.real(1e6, 8e6);
  d.memory_bandwidth = draw.real(5e10, 1e12);
  d.stall = draw.real(0.01, 2);
  d.launch = draw.real(1e-6, 2e-5);
  d.sustained = draw.real(0.3, 1);
  d.floor_cycles = draw.real(1, 5000);
  d.depthwise_operations = draw.real(2, 40);
  d.min_tile = draw.one_of(std::array{4096.0, 8192.0, 16384.0, 1e9});
  return d;
}

inline ConvolutionShape random_convolution(Draw& draw) {
  ConvolutionShape s;
  s.filter_height = draw.one_of(std::array{1.0, 3.0, 3.0, 5.0, 7.0});
  s.filter_width = draw.one_of(std::array{s.filter_height, s.filter_height, 1.0, 20.0});
  s.width = s.filter_width + draw.count(1, 200);
  s.height = s.filter_height + draw.count(1, 200);
  s.channels = draw.count(1, 1024);
  s.filters = draw.count(1, 1024);
  s.batch = draw.count(1, 32);
  s.pad_height = draw.one_of(std::array{0.0, std::floor(s.filter_height / 2)});
  s.pad_width = draw.one_of(std::array{0.0, std::floor(s.filter_width / 2)});
  s.stride_height = draw.one_of(std::array{1.0, 1.0, 2.0, 3.0});
  s.stride_width = draw.one_of(std::array{s.stride_height, s.stride_height, 1.0});
  return s;
}

}  // namespace pimsweep::hardware::gpu
