#pragma once

#include <cstdint>
#include <optional>

#include "hardware/hbm_pim/device.h"

namespace pimsweep::hardware::hbm_pim {

/// A matrix of 16-bit elements times each of `batch` vectors, one after the other.
struct ProductShape {
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
  std::int64_t batch = 1;
};

struct Product {
  /// Clocks until the banks are back in normal operation, refreshes included.
  double clocks = 0;
  /// Served refreshes: a mean over all phases if none is given.
  double refreshes = 0;
  std::int64_t output_tiles = 0;
  std::int64_t input_tiles = 0;
  /// All-bank reads of one channel with a multiplication each, and writes of inputs and results.
  std::int64_t multiplications = 0;
  std::int64_t writes = 0;
};

/// Samsung's order of a product (PIMSimulator, PIMKernel.cpp:360-460, commit b464dde), in closed form by the timing of
/// the device. Results of a tile: the registers of all units. For each input tile, in even banks first and then in odd
/// ones, inputs are written and as many columns read as there are pairs of an input and a result register, each of
/// which multiplies in all banks; results are written behind the last input tile. Inputs and results go through a bank
/// of the odd ones, so that odd banks change their row for them and even banks do not. `since_refresh`: clocks since
/// the memory's refresh counter began to run; refreshes then come at their time, and else as often as in the mean.
Product product(const Device& device, const ProductShape& shape, std::optional<std::int64_t> since_refresh = {});

double seconds(const Device& device, const Product& work);

}  // namespace pimsweep::hardware::hbm_pim
