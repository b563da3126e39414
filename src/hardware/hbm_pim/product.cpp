#include "hardware/hbm_pim/product.h"

#include <algorithm>

#include "base/checked.h"
#include "hardware/integer_math.h"
#include "hardware/refresh.h"

namespace pimsweep::hardware::hbm_pim {

namespace {

/// `count` accesses to one row, from the first to the last.
std::int64_t accesses(const Timing& timing, std::int64_t count) { return (count - 1) * timing.nCCDL; }

std::int64_t open_for_read(const Timing& timing) { return timing.nRP + timing.opening + timing.nRCDRD; }
std::int64_t open_for_write(const Timing& timing) { return timing.nRP + timing.opening + timing.nRCDWR; }

/// A write to another row of the bank that was written last.
std::int64_t rewrite(const Timing& timing) { return timing.write_to_precharge() + open_for_write(timing); }

/// A write to a closed bank, directly after a write to another bank.
std::int64_t next_bank_write(const Timing& timing) { return 1 + timing.nRCDWR; }

/// The multiplications of an input tile, from the first read to the last: its rows, each opened after the previous one.
std::int64_t tile_reads(const Device& device) {
  const Timing& timing = device.timing;
  const std::int64_t columns = device.input_registers * device.result_registers;
  const std::int64_t rows = ceil_div(columns, device.row_bursts);
  return (columns - rows) * timing.nCCDL + (rows - 1) * (timing.read_to_precharge() + open_for_read(timing));
}

/// From the first write of one input tile to the first write of the next. The rows of even banks open while inputs are
/// written, and the row of the inputs opens while even banks are read.
std::int64_t even_tile(const Device& device) {
  const Timing& timing = device.timing;
  return accesses(timing, device.input_registers) + timing.write_to_read() + tile_reads(device) +
         timing.read_to_write();
}

std::int64_t odd_tile(const Device& device) {
  const Timing& timing = device.timing;
  return accesses(timing, device.input_registers) + timing.write_to_precharge() + open_for_read(timing) +
         tile_reads(device) + std::max(timing.read_to_precharge() + open_for_write(timing), timing.read_to_write());
}

/// Results of a tile, and the transition to the first inputs of the next tile: the row of the inputs opens again.
std::int64_t result_writes(const Device& device) {
  return accesses(device.timing, device.result_registers) + rewrite(device.timing);
}

/// A read in every bank, after which the mode may change. Rows open one after another; the last bank, for which the
/// mode change waits, opens after all others have been read.
std::int64_t park(const Device& device) {
  const Timing& timing = device.timing;
  return (device.banks - 2) * timing.nRRDS + 2 * timing.nRCDRD + 1;
}

/// From open banks to PIM mode, the program of the units and the first multiplication; and back.
std::int64_t setup(const Device& device) {
  const Timing& timing = device.timing;
  const std::int64_t enter = timing.nRP + park(device) + timing.read_to_write() + 2 * timing.nCCDS + rewrite(timing) +
                             next_bank_write(timing) + timing.nCCDL;
  // The last tile's results count as if inputs followed, except that their row need not open.
  const std::int64_t leave = 2 * next_bank_write(timing) + park(device) + timing.nRL + timing.nBL;
  return enter + leave;
}

/// Reopens the rows that a refresh closed.
std::int64_t refresh_clocks(const Timing& timing) { return timing.nRFC + timing.opening + timing.nRCDRD; }

/// Refreshes during a run of `work` clocks with the counter at `since`.
std::int64_t refreshes_from(const Timing& timing, std::int64_t since, std::int64_t work) {
  const std::int64_t first = timing.nREFI - since % timing.nREFI;
  if (work <= first) return 0;
  return 1 + (work - first) / (timing.nREFI - refresh_clocks(timing));
}

}  // namespace

Product product(const Device& device, const ProductShape& shape, std::optional<std::int64_t> since_refresh) {
  const Timing& timing = device.timing;
  require_time_between_refreshes(timing.nREFI, refresh_clocks(timing));
  Product result;
  result.output_tiles = ceil_div(shape.outputs, device.channels * device.units * device.result_registers);
  result.input_tiles = ceil_div(ceil_div(shape.inputs, device.lanes), device.input_registers);
  const Count tiles = Count{result.output_tiles} * shape.batch;
  const std::int64_t columns = device.input_registers * device.result_registers;
  result.multiplications = tiles * result.input_tiles * columns;
  result.writes = tiles * (Count{result.input_tiles} * device.input_registers + device.result_registers);

  const std::int64_t odd = result.input_tiles / 2;
  const std::int64_t even = result.input_tiles - odd;
  const Count tile = Count{even} * even_tile(device) + Count{odd} * odd_tile(device) + result_writes(device);
  const Count work = tiles * tile + setup(device);
  if (since_refresh) {
    result.refreshes = static_cast<double>(refreshes_from(timing, *since_refresh, work));
  } else {
    result.refreshes = static_cast<double>(work) / static_cast<double>(timing.nREFI - refresh_clocks(timing));
  }
  result.clocks = static_cast<double>(work) + result.refreshes * static_cast<double>(refresh_clocks(timing));
  return result;
}

double seconds(const Device& device, const Product& work) { return work.clocks / device.clock; }

double multiplication_energy(const Device& device) {
  return device.channel_bytes() * (device.energy.cells + device.energy.multiply / Device::element_bytes);
}

double read_bytes(const Device& device, const Product& work) {
  return static_cast<double>(work.multiplications) * static_cast<double>(device.channels) * device.channel_bytes();
}

double energy(const Device& device, const Product& work) {
  const double written =
      static_cast<double>(work.writes) * static_cast<double>(device.channels) * device.channel_bytes();
  return static_cast<double>(work.multiplications) * static_cast<double>(device.channels) *
             multiplication_energy(device) +
         written * device.energy.writes;
}

}  // namespace pimsweep::hardware::hbm_pim
