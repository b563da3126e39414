#include "systems/gpu_axes.h"

#include <array>
#include <span>

#include "systems/device_constants.h"

namespace pimsweep::systems {

namespace {

using hardware::gpu::Device;

using Constant = DeviceConstant<Device>;

constexpr ValueType real = ValueType::real;
constexpr ValueType count = ValueType::integer;

constexpr std::array all{
    Constant{"clock", real, "Hz", 1e6, 1e11, &Device::clock, "boost clock"},
    Constant{"sm.count", count, "1", 1, 4096, &Device::multiprocessors, "multiprocessors"},
    Constant{"sm.fp32_rate", real, "1", 1, 1e6, &Device::fp32_rate, "fp32 operations of a multiprocessor in a cycle"},
    Constant{"sm.fp16_rate", real, "1", 0, 1e6, &Device::fp16_rate,
             "the same on pairs of fp16 numbers, convolutions of fp16-in/fp32-math use it; 0: not used"},
    Constant{"sm.tensor_rate", real, "1", 0, 1e6, &Device::tensor_rate,
             "the same of its tensor cores, fp16 in and fp32 out; 0: none"},
    Constant{"sm.int8_rate", real, "1", 0, 1e6, &Device::int8_rate, "the same of dp4a instructions; 0: none"},
    Constant{"sm.int8_tensor_rate", real, "1", 0, 1e6, &Device::int8_tensor_rate,
             "the same of tensor cores on int8; 0: none"},
    Constant{"sm.load_lanes", real, "1", 1, 1e4, &Device::load_lanes, "words that a multiprocessor loads in a cycle"},
    Constant{"sm.registers", count, "1", 1, 1e7, &Device::registers, "registers of 32 bit of a multiprocessor"},
    Constant{"sm.shared_memory", real, "B", 1024, 1e9, &Device::shared_memory, "shared memory of a multiprocessor"},
    Constant{"sm.threads", count, "1", 1, 65536, &Device::threads, "threads that a multiprocessor may hold"},
    Constant{"sm.blocks", count, "1", 1, 65536, &Device::blocks, "thread blocks that a multiprocessor may hold"},
    Constant{"l2.capacity", real, "B", 1024, 1e12, &Device::cache_capacity, "second-level cache"},
    Constant{"l2.bytes_per_cycle", real, "B", 1, 1e9, &Device::cache_bytes_per_cycle, "what it delivers in a cycle"},
    Constant{"memory.bandwidth", real, "B/s", 1e6, 1e16, &Device::memory_bandwidth, "of all channels together"},
    Constant{"memory.channels", count, "1", 1, 65536, nullptr, "memory channels"},
    Constant{"memory.efficiency", real, "1", 0.01, 1, &Device::memory_efficiency,
             "share of the bandwidth that kernels reach"},
    Constant{"memory.latency_cycles", real, "1", 1, 1e6, &Device::memory_latency_cycles,
             "clock cycles of a trip to memory"},
    Constant{"fitted.sustained", real, "1", 0.01, 1, &Device::sustained,
             "share of the peak rate that is sustained under load"},
    Constant{"fitted.launch", real, "s", 0, 1, &Device::launch, "time of a kernel that does nothing"},
    Constant{"fitted.stall", real, "1", 0, 100, &Device::stall,
             "time that a thread block's main loop stands still, per time in which it multiplies"},
    Constant{"fitted.skinny", real, "1", 0.001, 1, &Device::skinny,
             "cuda-8: share of the peak that products with at most 16 columns reach"},
    Constant{"power.tdp", real, "W", 1, 1e5, nullptr, "thermal design power"},
    Constant{"power.idle", real, "W", 0, 1e5, &Device::idle_power, "power when nothing runs"},
    Constant{"energy.fp32", real, "J", 0, 1, &Device::fp32_energy, "of an fp32 operation"},
    Constant{"energy.tensor", real, "J", 0, 1, &Device::tensor_energy,
             "of a tensor-core operation on fp16; one on int8 takes half"},
    Constant{"energy.int8", real, "J", 0, 1, &Device::int8_energy, "of an int8 operation of dp4a"},
    Constant{"energy.l2", real, "J/B", 0, 1, &Device::cache_energy, "of a byte from the second-level cache"},
    Constant{"energy.memory", real, "J/B", 0, 1, &Device::memory_energy, "of a byte from memory"},
};

constexpr std::span<const Constant> table(all);

/// Constants that only some cards have.
bool is_optional(const Constant& constant) {
  return constant.member == &Device::skinny || constant.member == &Device::fp16_rate;
}

}  // namespace

void append_gpu_axes(std::vector<Axis>& axes, std::string_view prefix) {
  axes.push_back(
      text_axis(device_axis_name(prefix, "card"), std::nullopt, {}, "name of the card, as in the measured rows"));
  axes.push_back(text_axis(device_axis_name(prefix, "library"), std::nullopt, {"cuda-8", "cuda-10"},
                           "generation of cuBLAS and cuDNN: CUDA 8 with cuDNN 6, or CUDA 10 with cuDNN 7"));
  axes.push_back(text_axis(device_axis_name(prefix, "fitted.on"), std::nullopt, {"this card", "another card"},
                           "whose measured times the fitted constants come from"));
  for (const Constant& constant : all) {
    Axis axis = device_axis(constant, prefix);
    // Only cards of one generation need it.
    if (is_optional(constant)) axis.default_value = Value{Device{}.*constant.member};
    axes.push_back(std::move(axis));
  }
}

void append_optional_gpu_axes(std::vector<Axis>& axes, std::string_view prefix) {
  const std::size_t first = axes.size();
  append_gpu_axes(axes, prefix);
  for (std::size_t i = first; i < axes.size(); ++i) {
    Axis& axis = axes[i];
    axis.doc += "; not needed without a card";
    if (axis.type == ValueType::text) {
      axis.default_value = Value{std::string()};
      if (!axis.choices.empty()) axis.choices.emplace_back();
    } else {
      axis.default_value = axis.type == ValueType::integer ? Value{std::int64_t{-1}} : Value{-1.0};
      axis.min = -1;
    }
  }
}

Axis precision_axis() {
  return text_axis("precision", Value{std::string("fp32")},
                   {"fp32", "fp16-in/fp32-math", "fp16-in/tensor-mixed", "int8"}, "numbers in memory / arithmetic");
}

hardware::gpu::Precision precision_of(const std::string& name) {
  if (name == "fp32") return hardware::gpu::Precision::fp32;
  if (name == "int8") return hardware::gpu::Precision::int8;
  return name == "fp16-in/fp32-math" ? hardware::gpu::Precision::half_storage : hardware::gpu::Precision::tensor;
}

DeviceReader::DeviceReader(const Schema& schema, std::string_view prefix)
    : prefix_(prefix),
      card_(axis_at(schema, device_axis_name(prefix, "card"))),
      library_(axis_at(schema, device_axis_name(prefix, "library"))),
      fitted_on_(axis_at(schema, device_axis_name(prefix, "fitted.on"))),
      memory_channels_(axis_at(schema, device_axis_name(prefix, "memory.channels"))),
      numbers_(device_axes(schema, prefix, table)) {}

Device DeviceReader::operator()(const Point& point) const {
  Device device;
  device.library = point.text(library_) == "cuda-8" ? hardware::gpu::Library::cuda8 : hardware::gpu::Library::cuda10;
  read_constants(point, numbers_, table, device);
  return device;
}

std::vector<std::string> DeviceReader::not_given(const Point& point) const {
  std::vector<std::string> names;
  if (card(point).empty()) names.push_back(device_axis_name(prefix_, "card"));
  if (point.text(library_).empty()) names.push_back(device_axis_name(prefix_, "library"));
  for (std::size_t i = 0; i < all.size(); ++i) {
    // Cards whose library does not need it leave it out.
    if (is_optional(all[i])) continue;
    if (point.real(numbers_[i]) < all[i].min) names.push_back(device_axis_name(prefix_, all[i].key));
  }
  return names;
}

std::string DeviceReader::missing_unit(const Point& point, hardware::gpu::Precision precision) const {
  const Device device = (*this)(point);
  if (precision == hardware::gpu::Precision::tensor && device.tensor_rate == 0) {
    return fmt::format("'{}' has no tensor cores ({} is 0)", card(point), device_axis_name(prefix_, "sm.tensor_rate"));
  }
  if (precision == hardware::gpu::Precision::int8 && device.int8_rate == 0) {
    return fmt::format("'{}' has no int8 arithmetic ({} is 0)", card(point), device_axis_name(prefix_, "sm.int8_rate"));
  }
  return {};
}

}  // namespace pimsweep::systems
