#pragma once

#include <cstddef>
#include <cstdint>

#include "workload/training/operands.h"

// Memory traffic of operations without a cache (docs/training-graphs.md, "Costs"), used in the rows of
// operation_table.cpp.
namespace pimsweep::workload::training {

/// Elements read and written by an operation.
struct Traffic {
  std::int64_t read = 0;
  std::int64_t written = 0;
};

/// Every input is read and every output is written once.
Traffic whole_traffic(const Operands& operands);
Traffic no_traffic(const Operands& operands);
Traffic write_only_traffic(const Operands& operands);
/// As much is read as is written.
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

// Elements read of the variable that is input number `input`.

std::int64_t whole_variable(const Operands& operands, std::size_t input);
/// At most as many of the first input as there are in the output.
std::int64_t selected_variable(const Operands& operands, std::size_t input);
/// Only the rows of the first input that the second updates.
std::int64_t updated_rows(const Operands& operands, std::size_t input);

}  // namespace pimsweep::workload::training
