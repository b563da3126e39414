#pragma once

#include <cstddef>
#include <cstdint>

#include "workload/training/operands.h"

// Memory traffic of operations where nothing stays in a cache (docs/training-graphs.md, "Costs"). Each rule stands in
// the rows of operation_table.cpp that use it.
namespace pimsweep::workload::training {

/// Elements that an operation reads and writes.
struct Traffic {
  std::int64_t read = 0;
  std::int64_t written = 0;
};

/// Every input is read and every output written once.
Traffic whole_traffic(const Operands& operands);
Traffic no_traffic(const Operands& operands);
Traffic write_only_traffic(const Operands& operands);
/// Only as much is read as is written.
Traffic slice_traffic(const Operands& operands);
/// Rows of the table in the first input, each read once, and their indices in the second.
Traffic gather_traffic(const Operands& operands);
/// Rows of the table in the first input, as many as there are in the gradient, and their indices in the third.
Traffic scatter_traffic(const Operands& operands);
/// The first input is overwritten by the second.
Traffic assign_traffic(const Operands& operands);

/// All inputs are read; the variable and its slots, `Variables` in all, are written.
template <std::int64_t Variables>
Traffic update_traffic(const Operands& operands) {
  return {elements_of(operands.inputs), Variables * operands.inputs[0].elements()};
}

// Elements that are read of a variable that is input number `input`.

std::int64_t whole_variable(const Operands& operands, std::size_t input);
/// No more of the first input than there is in the output.
std::int64_t selected_variable(const Operands& operands, std::size_t input);
/// Of the first input only the rows that the second updates.
std::int64_t updated_rows(const Operands& operands, std::size_t input);

}  // namespace pimsweep::workload::training
