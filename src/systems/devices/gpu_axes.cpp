#include "systems/devices/gpu_axes.h"

#include <fmt/format.h>

#include <optional>
#include <span>

#include "systems/devices/error_axes.h"

namespace pimsweep::systems::devices {

namespace {

using hardware::gpu::Device;
using hardware::gpu::KernelErrors;
using hardware::gpu::Library;

/// A number of a GPU's data sheet: its key, its bounds, and the member that it fills.
struct Constant {
  std::string_view key;
  std::string_view unit;
  double min;
  double max;
  double Device::*member;
  std::string_view doc;
  bool is_count = false;
  /// True if only GPUs of one generation have it: the member's initial value is the default.
  bool is_optional = false;
};

constexpr std::array constants{
    Constant{"clock", "Hz", 1e6, 1e11, &Device::clock, "boost clock of the GPU"},
    Constant{"sm.count", "1", 1, 4096, &Device::multiprocessors, "streaming multiprocessors of the GPU", true},
    Constant{"sm.fp32_rate", "1", 1, 1e6, &Device::fp32_rate, "fp32 operations of a multiprocessor in a cycle"},
    Constant{"sm.fp16_rate", "1", 0, 1e6, &Device::fp16_rate,
             "operations of a multiprocessor in a cycle on pairs of fp16 numbers; 0: not used", false, true},
    Constant{"sm.tensor_rate", "1", 0, 1e6, &Device::tensor_rate,
             "tensor-core operations of a multiprocessor in a cycle, fp16 in and fp32 out; 0: none"},
    Constant{"sm.int8_rate", "1", 0, 1e6, &Device::int8_rate,
             "dp4a operations of a multiprocessor in a cycle on int8; 0: none"},
    Constant{"sm.int8_tensor_rate", "1", 0, 1e6, &Device::int8_tensor_rate,
             "tensor-core operations of a multiprocessor in a cycle on int8; 0: none"},
    Constant{"sm.load_lanes", "1", 1, 1e4, &Device::load_lanes, "words that a multiprocessor loads in a cycle"},
    Constant{"sm.registers", "1", 1, 1e7, &Device::registers, "32-bit registers of a multiprocessor", true},
    Constant{"sm.shared_memory", "B", 1024, 1e9, &Device::shared_memory, "shared memory of a multiprocessor"},
    Constant{"sm.threads", "1", 1, 65536, &Device::threads, "threads that a multiprocessor can hold", true},
    Constant{"sm.blocks", "1", 1, 65536, &Device::blocks, "thread blocks that a multiprocessor can hold", true},
    Constant{"l2.capacity", "B", 1024, 1e12, &Device::cache_capacity, "capacity of the second-level cache"},
    Constant{"l2.bytes_per_cycle", "B", 1, 1e9, &Device::cache_bytes_per_cycle,
             "bytes that the second-level cache delivers in a cycle"},
    Constant{"memory.bandwidth", "B/s", 1e6, 1e16, &Device::memory_bandwidth,
             "memory bandwidth of all channels together"},
    Constant{"memory.efficiency", "1", 0.01, 1, &Device::memory_efficiency,
             "share of the memory bandwidth that kernels reach"},
    Constant{"memory.latency_cycles", "cycle", 1, 1e6, &Device::memory_latency_cycles,
             "clock cycles of an access to memory"},
    Constant{"fitted.sustained", "1", 0.01, 1, &Device::sustained, "share of the peak rate sustained under load"},
    Constant{"fitted.launch", "s", 0, 1, &Device::launch, "time of a kernel that does nothing"},
    Constant{"fitted.stall", "1", 0, 100, &Device::stall,
             "stall time of a thread block's main loop relative to its multiplying time"},
    Constant{"fitted.skinny", "1", 0.001, 1, &Device::skinny,
             "share of the peak reached by GEMMs of at most 16 columns (library cuda-8)", false, true},
    Constant{"fitted.floor", "cycle", 0, 1e9, &Device::floor_cycles,
             "extra clock cycles of each kernel without a GEMM (library cudnn-8-fixed)", false, true},
    Constant{
        "fitted.depthwise_operations", "1", 1, 1e4, &Device::depthwise_operations,
        "operations that a multiply-add of depthwise kernels takes with addresses and loads (library cudnn-8-fixed)",
        false, true},
    Constant{"convolution.min_tile", "1", 1, 1e9, &Device::min_tile,
             "outputs of the smallest tile of convolution kernels (library cudnn-8-fixed)", false, true},
    Constant{"power.idle", "W", 0, 1e5, &Device::idle_power, "power of the idle GPU"},
    Constant{"energy.fp32", "J", 0, 1, &Device::fp32_energy, "energy of an fp32 operation"},
    Constant{"energy.tensor", "J", 0, 1, &Device::tensor_energy,
             "energy of a tensor-core operation on fp16; one on int8 takes half"},
    Constant{"energy.int8", "J", 0, 1, &Device::int8_energy, "energy of a dp4a operation on int8"},
    Constant{"energy.l2", "J/B", 0, 1, &Device::cache_energy, "energy of a byte from the second-level cache"},
    Constant{"energy.memory", "J/B", 0, 1, &Device::memory_energy, "energy of a byte from memory"},
};

/// Error of the modeled times of a class of kernels.
struct Error {
  std::string_view key;
  hardware::ModelError KernelErrors::*member;
  std::string_view kernels;
};
constexpr std::array errors{Error{"error.gemm", &KernelErrors::gemm, "GEMM kernels"},
                            Error{"error.convolution", &KernelErrors::convolution, "convolution kernels"},
                            Error{"error.recurrent", &KernelErrors::recurrent, "recurrent layers"}};

constexpr std::array library_words{Word{"cuda-8", Library::cuda8}, Word{"cuda-10", Library::cuda10},
                                   Word{"cuda-12", Library::cuda12}, Word{"cudnn-8-fixed", Library::cudnn8_fixed},
                                   Word{"cutlass-1.3", Library::cutlass1}};
constexpr std::array optional_library_words{library_words[0], library_words[1], library_words[2],
                                            library_words[3], library_words[4], Word{"", Library::none}};

std::string key(std::string_view prefix, std::string_view name) { return fmt::format("hardware.{}{}", prefix, name); }

constexpr std::array fitted_words{Word{"this card", true}, Word{"another card", false}};
/// The default is the first word of its value, hence the empty text comes first.
constexpr std::array optional_fitted_words{Word{"", false}, fitted_words[0], fitted_words[1]};

/// Declares the axes of a GPU; with `absent`, the default of all texts, numbers default to -1.
class CardAxes {
 public:
  CardAxes(AxisList& axes, std::string_view prefix, GpuCard& card, bool optional)
      : axes_(axes), prefix_(prefix), card_(card), optional_(optional) {}

  void add() {
    add_texts();
    for (const Constant& constant : constants) {
      if (constant.key == "memory.efficiency") add_channels();
      if (constant.key == "power.idle") {
        add_quantity(card_.thermal_design_power, "power.tdp", "W", 1, 1e5, "thermal design power of the GPU", {});
      }
      add_constant(constant);
    }
    for (const Error& error : errors)
      add_error_axes(axes_, card_.device.errors.*error.member, key(prefix_, error.key), error.kernels);
  }

 private:
  std::string doc(std::string_view text) const {
    return std::string(text) + (optional_ ? "; not needed without a GPU" : "");
  }

  void add_texts() {
    const std::string name_doc = doc("name of the GPU, as in the measured rows");
    const std::string library_doc = doc("generation of cuBLAS and cuDNN, cuDNN 8 with a fixed algorithm, or CUTLASS");
    const std::string fitted_doc = doc("GPU of the measured times to which the constants are fitted");
    const std::string card = key(prefix_, "card"), library = key(prefix_, "library"),
                      fitted = key(prefix_, "fitted.on");
    if (optional_) {
      axes_.text(card_.name, card, name_doc, "")
          .choice(card_.device.library, library, optional_library_words, library_doc, Library::none)
          .choice(card_.fitted_on_this_card, fitted, optional_fitted_words, fitted_doc, false);
    } else {
      axes_.text(card_.name, card, name_doc)
          .choice(card_.device.library, library, library_words, library_doc)
          .choice(card_.fitted_on_this_card, fitted, fitted_words, fitted_doc);
    }
  }

  void add_channels() {
    axes_.count(card_.memory_channels, key(prefix_, "memory.channels"), optional_ ? -1 : 1, 65536,
                doc("memory channels of the GPU"), absent<std::int64_t>());
  }

  void add_quantity(double& place, std::string_view name, std::string_view unit, double min, double max,
                    std::string_view text, std::optional<double> default_value) {
    axes_.quantity(place, key(prefix_, name), std::string(unit), optional_ ? -1 : min, max, doc(text),
                   optional_ ? absent<double>() : default_value);
  }

  void add_constant(const Constant& constant) {
    double& place = card_.device.*constant.member;
    if (constant.is_count) {
      axes_.count(place, key(prefix_, constant.key), optional_ ? -1 : constant.min, constant.max, doc(constant.doc),
                  absent<std::int64_t>(), std::string(constant.unit));
    } else {
      add_quantity(place, constant.key, constant.unit, constant.min, constant.max, constant.doc,
                   constant.is_optional ? std::optional(Device{}.*constant.member) : std::nullopt);
    }
  }

  template <typename Number>
  std::optional<Number> absent() const {
    return optional_ ? std::optional<Number>(-1) : std::nullopt;
  }

  AxisList& axes_;
  std::string_view prefix_;
  GpuCard& card_;
  bool optional_;
};

}  // namespace

void add_gpu_axes(AxisList& axes, std::string_view prefix, GpuCard& card) { CardAxes(axes, prefix, card, false).add(); }

void add_optional_gpu_axes(AxisList& axes, std::string_view prefix, GpuCard& card) {
  CardAxes(axes, prefix, card, true).add();
}

std::vector<std::string> missing_gpu_axes(std::string_view prefix, const GpuCard& card) {
  std::vector<std::string> names;
  if (card.name.empty()) names.push_back(key(prefix, "card"));
  if (card.device.library == Library::none) names.push_back(key(prefix, "library"));
  for (const Constant& constant : constants) {
    // Cards whose library does not need it leave it out.
    if (!constant.is_optional && card.device.*constant.member < constant.min)
      names.push_back(key(prefix, constant.key));
  }
  return names;
}

std::string missing_unit(std::string_view prefix, const GpuCard& card, Precision precision) {
  if (precision == Precision::tensor && card.device.tensor_rate == 0) {
    return fmt::format("'{}' has no tensor cores ({} is 0)", card.name, key(prefix, "sm.tensor_rate"));
  }
  if (precision == Precision::int8 && card.device.int8_rate == 0) {
    return fmt::format("'{}' has no int8 arithmetic ({} is 0)", card.name, key(prefix, "sm.int8_rate"));
  }
  return {};
}

}  // namespace pimsweep::systems::devices
