#pragma once

#include "systems/artifacts/attacc/machine.h"
#include "systems/artifacts/attacc/tiling.h"

namespace pimsweep::systems::artifacts::attacc {

/// Energy of kernels by where it is spent, in J.
struct KernelEnergy {
  double memory = 0;
  double cache = 0;
  double core_memory = 0;
  double registers = 0;
  double multiply = 0;

  /// All but the memory's.
  double compute() const { return cache + core_memory + registers + multiply; }
  double total() const { return memory + compute(); }
  KernelEnergy& operator+=(const KernelEnergy& other) {
    memory += other.memory;
    cache += other.cache;
    core_memory += other.core_memory;
    registers += other.registers;
    multiply += other.multiply;
    return *this;
  }
  KernelEnergy& operator*=(double factor) {
    memory *= factor;
    cache *= factor;
    core_memory *= factor;
    registers *= factor;
    multiply *= factor;
    return *this;
  }
};

/// A kernel on one GPU: time in s, energy in J, floating-point operations.
struct KernelCost {
  double time = 0;
  bool compute_bound = false;
  KernelEnergy energy = {};
  double flops = 0;
};

enum class ElementKind : std::uint8_t { softmax, norm, gelu, relu, gated };

/// Elements that a kernel of `blocks` thread blocks goes over.
struct Elements {
  ElementKind kind = ElementKind::norm;
  double elements = 0;
  double blocks = 1;
};

/// Kernels of a GPU as the artifact of AttAcc has them (devices.py:119-211, commit c600051). The L2 cache's bandwidth
/// is unlimited there.
KernelCost product_cost(const Product& product, double value_bytes, const Gpu& gpu);
KernelCost element_cost(const Elements& elements, double value_bytes, const Gpu& gpu, const Accounting& accounting);

/// Floating-point operations of an element.
double element_flops(ElementKind kind);

/// Communication: time in s, and energy in J of all GPUs.
struct LinkCost {
  double time = 0;
  double energy = 0;
};

/// All-reduce of `bytes` on each of `gpus` GPUs (devices.py:214-250).
LinkCost all_reduce(double bytes, const Gpu& gpu, std::int64_t gpus);

}  // namespace pimsweep::systems::artifacts::attacc
