#pragma once

#include <array>
#include <cstdint>

#include "base/words.h"
#include "hardware/aim/commands.h"
#include "hardware/aim/device.h"

namespace pimsweep::hardware::aim {

/// Loop order of a GEMV: either a part of the input in the global buffer is multiplied by all rows whose results fit
/// into the registers before results are read, or results are read after each row.
enum class Order : std::uint8_t { reuse_gb, no_reuse };
inline constexpr std::array order_words{Word{"reuse-gb", Order::reuse_gb}, Word{"no-reuse", Order::no_reuse}};

/// A GEMV with a matrix of 16-bit elements. All channels work alike, each on its share of the outputs.
struct ProductShape {
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
  std::int64_t channels = 1;
  Order order = Order::reuse_gb;
};

/// Multiplication of queries by keys: each row of a bank holds one key for as many heads as fit, which are multiplied
/// one after another by the queries in the global buffer. `queries` queries of the same head share a row.
struct ScoresShape {
  std::int64_t rows = 1;
  std::int64_t heads_of_row = 1;
  std::int64_t queries = 1;
};

/// Clocks of the command bus until the last result has been read, and the commands of one channel.
struct Product {
  std::int64_t clocks = 0;
  Commands commands;
};

/// Time of the rows that each bank multiplies, independent of earlier work: an open row is closed first, and the
/// channel is left in register access mode. `registers`: number of results held at a time.
struct BankRows {
  std::int64_t inputs = 0;
  std::int64_t rows = 0;
  std::int64_t registers = 1;
};

/// Closed forms of the AiM simulator's behavior (aim_simulator, commit 0f28a07: GDDR6.cpp:183,
/// AiM_dram_controller.cpp), which delays commands by the timing of the device only. A row in a sequence of rows takes
///     opening + max(nRCD + (o - 1) nCCD + nRTP, nRAS) + nRP + bias + result
/// clocks for o columns. Each group of rows is enclosed by two mode changes, which hide the precharge of its last row;
/// the first command in the new mode follows one clock later.
Product bank_rows(const Device& device, const BankRows& work);
Product score_rows(const Device& device, const ScoresShape& shape);

/// The same work as a separate program: all banks are closed before, and the first mode change is included. With
/// `refresh` the channel is refreshed every nREFI clocks, between two rows; the simulator never refreshes.
Product product(const Device& device, const ProductShape& shape, bool refresh = false);
Product scores(const Device& device, const ScoresShape& shape, bool refresh = false);

/// Clocks and commands with the refreshes that fall due during them, the first one nREFI clocks after the start. A row
/// is closed at that time in any case, so each refresh costs nRFC.
Product with_refresh(const Device& device, Product work);
/// Ratio of the time with refreshes to the time without, in a long run.
double refresh_factor(const Device& device);

double seconds(const Device& device, const Product& work);
/// Energy of `channels` channels in J. Banks count as precharged for nRP clocks of each precharge.
Energy energy(const Device& device, const Product& work, std::int64_t channels);

}  // namespace pimsweep::hardware::aim
