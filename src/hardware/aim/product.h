#pragma once

#include <array>
#include <cstdint>

#include "base/words.h"
#include "hardware/aim/commands.h"
#include "hardware/aim/device.h"

namespace pimsweep::hardware::aim {

/// Order of a matrix-vector product: a part of the input in the global buffer meets all rows whose results the
/// registers hold before results are read, or results are read after each row.
enum class Order : std::uint8_t { reuse_gb, no_reuse };
inline constexpr std::array order_words{Word{"reuse-gb", Order::reuse_gb}, Word{"no-reuse", Order::no_reuse}};

/// A matrix of 16-bit elements times a vector. All channels work alike, each on its share of the outputs.
struct ProductShape {
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
  std::int64_t channels = 1;
  Order order = Order::reuse_gb;
};

/// Queries times keys: each row of a bank holds a key of as many heads as fit, one after the other multiplied with the
/// queries in the global buffer. `queries` of the same head share a row.
struct ScoresShape {
  std::int64_t rows = 1;
  std::int64_t heads_of_row = 1;
  std::int64_t queries = 1;
};

/// Clocks of the command bus until the last result is out, and the commands of one channel.
struct Product {
  std::int64_t clocks = 0;
  Commands commands;
};

/// The rows that each bank multiplies, whatever came before: the row that was open is closed first, and the channel is
/// left in the mode of register accesses. `registers`: results that are held at a time.
struct BankRows {
  std::int64_t inputs = 0;
  std::int64_t rows = 0;
  std::int64_t registers = 1;
};

/// Closed forms of what the simulator of AiM does (aim_simulator, commit 0f28a07: GDDR6.cpp:183,
/// AiM_dram_controller.cpp), which holds commands back by the timing of the device alone. A row in a train of rows
/// takes
///     max(nRCD + (o - 1) nCCD + nRTP, nRAS) + nRP + bias + result
/// clocks for o columns; two changes of mode enclose each group of rows, behind which the precharge of its last row
/// hides, and one clock goes by until the first command in the new mode.
Product bank_rows(const Device& device, const BankRows& work);
Product score_rows(const Device& device, const ScoresShape& shape);

/// The same as a program of its own: all banks are closed before, and the first change of mode is its own. With
/// `refresh` the channel is refreshed every nREFI clocks, between two rows; the simulator never does that.
Product product(const Device& device, const ProductShape& shape, bool refresh = false);
Product scores(const Device& device, const ScoresShape& shape, bool refresh = false);

/// Clocks and commands with the refreshes that fall due while they run, the first one nREFI clocks after their
/// beginning. A row is closed then in any case, so that each costs nRFC.
Product with_refresh(const Device& device, Product work);
/// Time with refreshes over time without, in a long run.
double refresh_factor(const Device& device);

double seconds(const Device& device, const Product& work);
/// Energy of `channels` channels, J. Banks count as precharged for nRP clocks of each precharge.
Energy energy(const Device& device, const Product& work, std::int64_t channels);

}  // namespace pimsweep::hardware::aim
