#pragma once

#include <cstdint>
#include <string_view>

#include "systems/system.h"

namespace pimsweep::systems::parts::gemm {

/// The value of the axis "dataflow" that leaves everything to the mapper.
inline constexpr std::string_view mapped = "mapped";

/// The axes in the schema's order.
enum AxisIndex : std::size_t {
  size_m,
  size_n,
  size_k,
  dataflow,
  metrics,
  mapper,
  best_mapping,
  array_rows,
  array_cols,
  dram_words_per_cycle,
  buffer_words_per_cycle,
  max_cycles,
  data_word,
  line,
  buffer,
  accumulator,
  energy_mac,
  energy_register,
  energy_accumulator,
  energy_buffer,
  energy_dram
};

Schema make_schema();

}  // namespace pimsweep::systems::parts::gemm
