#include "hardware/aim/product.h"

#include <algorithm>

#include "hardware/integer_math.h"
#include "hardware/refresh.h"

namespace pimsweep::hardware::aim {

namespace {

/// Parts of an input, each of which fills the global buffer, and columns of all parts together.
struct InputParts {
  std::int64_t count = 0;
  Count columns = 0;
};

InputParts input_parts(const Device& device, std::int64_t inputs) {
  const std::int64_t full = inputs / device.row_elements;
  const std::int64_t rest = inputs % device.row_elements;
  return {.count = full + (rest != 0 ? 1 : 0),
          .columns = Count{full} * ceil_div(device.row_elements, device.lanes) + ceil_div(rest, device.lanes)};
}

/// Mode changes around a group of rows: to the banks and back, and one clock until the first command in the new mode.
/// The second one hides the wait for the precharge of the group's last row, which stays open `wait` clocks longer than
/// its columns need.
std::int64_t group_clocks(const Timing& timing, std::int64_t wait) {
  const std::int64_t hidden = std::min(timing.nRTP - timing.nCCD + wait, timing.mode_change);
  return 2 * timing.mode_change - hidden + 1;
}

/// A row from its activation to the next one, without its columns.
std::int64_t row_clocks(const Timing& timing) {
  return timing.opening + timing.nRCD - timing.nCCD + timing.nRTP + timing.nRP + timing.bias + timing.result;
}

/// Clocks for which a row must stay open beyond its columns; 0 for the rows of real devices.
std::int64_t open_wait(const Timing& timing, std::int64_t columns) {
  return std::max<std::int64_t>(0, timing.nRAS - timing.nRCD - timing.nRTP - (columns - 1) * timing.nCCD);
}

/// As a separate program: the first row needs no precharge, and the first mode change is added.
Product standalone(const Device& device, Product work, bool refresh) {
  work.clocks += device.timing.mode_change - device.timing.nRP;
  work.commands.prea -= 1;
  work.commands.tmod += 1;
  return refresh ? with_refresh(device, work) : work;
}

}  // namespace

Product bank_rows(const Device& device, const BankRows& work) {
  const Timing& timing = device.timing;
  const InputParts parts = input_parts(device, work.inputs);
  const std::int64_t groups = ceil_div(work.rows, work.registers);
  const Count rows = Count{parts.count} * work.rows;
  const Count columns = work.rows * parts.columns;
  const std::int64_t row_columns = ceil_div(device.row_elements, device.lanes);
  const std::int64_t rest = parts.columns - (parts.count - 1) * row_columns;
  const auto groups_of_part = [&](std::int64_t part_columns) {
    const std::int64_t wait = open_wait(timing, part_columns);
    return Count{groups} * group_clocks(timing, wait) + Count{work.rows} * wait;
  };
  Product result;
  result.clocks = (parts.columns + columns) * timing.nCCD + (parts.count - 1) * groups_of_part(row_columns) +
                  groups_of_part(rest) + rows * row_clocks(timing);
  result.commands = {.act16 = rows,
                     .prea = rows,
                     .mac16 = columns,
                     .wrgb = parts.columns,
                     .rdmac16 = rows,
                     .wrmac16 = rows,
                     .tmod = 2 * Count{parts.count} * groups};
  return result;
}

Product score_rows(const Device& device, const ScoresShape& shape) {
  const Timing& timing = device.timing;
  const std::int64_t row_columns = ceil_div(device.row_elements, device.lanes);
  const std::int64_t columns = row_columns / shape.heads_of_row;
  const Count passes = Count{shape.rows} * shape.queries;
  const Count products = passes * shape.heads_of_row;
  // Only the first multiplication of a row opens it.
  const Count reopened = products - shape.rows;
  const std::int64_t wait = open_wait(timing, columns);
  Product result;
  result.clocks = passes * row_columns * timing.nCCD + reopened * group_clocks(timing, 0) +
                  shape.rows * Count{group_clocks(timing, wait) + wait} +
                  products * (row_clocks(timing) + columns * timing.nCCD) -
                  reopened * (timing.opening + timing.nRCD + timing.nRP);
  result.commands = {.act16 = shape.rows,
                     .prea = shape.rows,
                     .mac16 = products * columns,
                     .wrgb = passes * row_columns,
                     .rdmac16 = products,
                     .wrmac16 = products,
                     .tmod = 2 * products};
  return result;
}

Product product(const Device& device, const ProductShape& shape, bool refresh) {
  const std::int64_t rows = ceil_div(shape.outputs, shape.channels * device.banks);
  const std::int64_t registers = shape.order == Order::reuse_gb ? device.registers : 1;
  return standalone(device, bank_rows(device, {.inputs = shape.inputs, .rows = rows, .registers = registers}), refresh);
}

Product scores(const Device& device, const ScoresShape& shape, bool refresh) {
  return standalone(device, score_rows(device, shape), refresh);
}

Product with_refresh(const Device& device, Product work) {
  const Timing& timing = device.timing;
  require_time_between_refreshes(timing.nREFI, timing.nRFC);
  const std::int64_t refreshes = work.clocks / (timing.nREFI - timing.nRFC);
  work.commands.refab += refreshes;
  work.clocks += Count{refreshes} * timing.nRFC;
  return work;
}

double refresh_factor(const Device& device) {
  require_time_between_refreshes(device.timing.nREFI, device.timing.nRFC);
  const auto interval = static_cast<double>(device.timing.nREFI);
  return interval / (interval - static_cast<double>(device.timing.nRFC));
}

double seconds(const Device& device, const Product& work) { return static_cast<double>(work.clocks) / device.clock; }

Energy energy(const Device& device, const Product& work, std::int64_t channels) {
  Energy result = energy(work.commands * channels, device);
  const double precharged =
      std::min(static_cast<double>(work.commands.prea) * static_cast<double>(device.timing.nRP) / device.clock,
               seconds(device, work));
  const double active = seconds(device, work) - precharged;
  result.standby = static_cast<double>(channels) *
                   (device.power.standby_active * active + device.power.standby_precharged * precharged);
  return result;
}

}  // namespace pimsweep::hardware::aim
