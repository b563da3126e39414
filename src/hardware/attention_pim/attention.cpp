#include "hardware/attention_pim/attention.h"

namespace pimsweep::hardware::attention_pim {

AttentionEnergy energy(const Device& device, Placement placement, const AttentionShape& shape, const Counts& counts) {
  const auto column_bytes = static_cast<double>(device.column_bytes);
  const double read = static_cast<double>(counts.mac) * static_cast<double>(device.units(placement)) * column_bytes;
  const double moved = static_cast<double>(counts.moves()) * column_bytes;
  const double written = static_cast<double>(counts.queries_written) * column_bytes;
  const double products =
      2 * static_cast<double>(shape.heads) * static_cast<double>(shape.context) * static_cast<double>(shape.head_size);
  const Energy& joules = device.energy;
  return {.cells = read * device.cell_energy(placement),
          .interposer = written * joules.interposer,
          .tsv = moved * joules.tsv,
          .global_io = moved * joules.global_io,
          .bank_group_mux = moved * joules.bank_group_mux,
          .multiply = products * joules.multiply};
}

Attention attention(const Device& device, const AttentionShape& shape, const ClockOptions& options) {
  Attention result{.counts = count_commands(device, options.placement, shape, options.commands),
                   .clocks = clocks(device, shape, options)};
  result.time = result.clocks.total / device.clock;
  result.energy = energy(device, options.placement, shape, result.counts);
  return result;
}

}  // namespace pimsweep::hardware::attention_pim
