#pragma once

#include "../reference.h"
#include "base/words.h"
#include "hardware/attention_pim/clocks.h"

namespace pimsweep::hardware::attention_pim::attacc {

inline AttentionShape shape_of(const test::Reference& rows, std::size_t row) {
  return {.heads = rows.integer(row, "heads"),
          .context = rows.integer(row, "context"),
          .head_size = rows.integer(row, "head_size"),
          .value_bytes = rows.real(row, "value_bytes")};
}

inline Placement placement_of(const test::Reference& rows, std::size_t row) {
  return value_of(placement_words, rows.text(row, "placement")).value();
}

inline bool power_limit_of(const test::Reference& rows, std::size_t row) {
  return rows.integer(row, "power_limit") != 0;
}

inline Counts counts_of(const test::Reference& rows, std::size_t row) {
  return {.mac = rows.integer(row, "mac"),
          .softmax = rows.integer(row, "softmax"),
          .scores_moved = rows.integer(row, "mvgb"),
          .results_moved = rows.integer(row, "mvsb"),
          .queries_written = rows.integer(row, "wrgb")};
}

}  // namespace pimsweep::hardware::attention_pim::attacc
