#pragma once

#include "hardware/attention_pim/clocks.h"
#include "hardware/attention_pim/commands.h"
#include "hardware/attention_pim/device.h"

namespace pimsweep::hardware::attention_pim {

/// Energy of an attention by component, in J.
struct AttentionEnergy {
  /// From the cells to the multipliers.
  double cells = 0;
  /// Transfers of queries, scores and results.
  double interposer = 0;
  double tsv = 0;
  double global_io = 0;
  double bank_group_mux = 0;
  double multiply = 0;

  double moves() const { return interposer + tsv + global_io + bank_group_mux; }
  double total() const { return cells + moves() + multiply; }
};

/// Energy of the commands of a stack and of the multiplications of an attention (AttAcc artifact, config.py:26-60 and
/// devices.py:320-350, commit c600051; energies per byte from the sources of the device). Transfers pass through the
/// TSVs, the global I/O and the bank-group multiplexers; queries arrive over the interposer.
AttentionEnergy energy(const Device& device, Placement placement, const AttentionShape& shape, const Counts& counts);

/// Cost of a decode attention on one stack.
struct Attention {
  Counts counts = {};
  Clocks clocks = {};
  double time = 0;
  AttentionEnergy energy = {};
};

/// Requires at least one head, token and element, and nREFI greater than the clocks of a refresh. Throws OverflowError
/// if the number of commands does not fit into 64 bits.
Attention attention(const Device& device, const AttentionShape& shape, const ClockOptions& options = {});

}  // namespace pimsweep::hardware::attention_pim
