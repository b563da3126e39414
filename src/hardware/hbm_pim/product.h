#pragma once

#include <cstdint>
#include <optional>

#include "hardware/hbm_pim/device.h"

namespace pimsweep::hardware::hbm_pim {

/// GEMVs of a matrix of 16-bit elements with each of `batch` vectors, one after another.
struct ProductShape {
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
  std::int64_t batch = 1;
};

struct Product {
  /// Clocks until the banks are back in normal operation, including refreshes.
  double clocks = 0;
  /// Refreshes served: the mean over all phases if no phase is given.
  double refreshes = 0;
  std::int64_t output_tiles = 0;
  std::int64_t input_tiles = 0;
  /// All-bank reads of one channel with a multiplication each, and writes of inputs and results.
  std::int64_t multiplications = 0;
  std::int64_t writes = 0;
};

/// Closed form of a GEMV in Samsung's order (PIMSimulator, PIMKernel.cpp:360-460, commit b464dde), by the timing of the
/// device. A tile of results fills the registers of all units. For each input tile, first in even banks and then in odd
/// banks, inputs are written and one column is read per pair of an input and a result register; each read multiplies in
/// all banks. Results are written after the last input tile. Inputs and results go through an odd bank, so odd banks
/// change their row for them and even banks do not. `since_refresh`: clocks since the start of the memory's refresh
/// counter; refreshes then come at their exact time, otherwise at the mean rate.
Product product(const Device& device, const ProductShape& shape, std::optional<std::int64_t> since_refresh = {});

double seconds(const Device& device, const Product& work);

/// J of a multiplication in all banks of a channel.
double multiplication_energy(const Device& device);
/// Bytes that the multiplications of all channels read, and energy of all channels in J.
double read_bytes(const Device& device, const Product& work);
double energy(const Device& device, const Product& work);

}  // namespace pimsweep::hardware::hbm_pim
