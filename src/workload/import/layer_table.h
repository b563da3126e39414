#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "workload/operator_graph.h"

namespace pimsweep::workload::import {

/// A convolution without padding, whose last windows may reach beyond the map, as SCALE-Sim has it.
struct TableConvolution {
  Extent map = 1;
  Extent kernel = 1;
  Extent stride = 1;
  std::int64_t channels = 1;
  std::int64_t outputs = 1;
  std::int64_t groups = 1;

  /// ceil((map - kernel) / stride) + 1.
  Extent output() const;
};

/// A matrix product, with weights as its right factor or of two tensors.
struct TableProduct {
  MatrixProduct product;
  bool has_weights = true;
};

struct TableLayer {
  /// Unique in its table.
  std::string name;
  std::variant<TableConvolution, TableProduct> layer;
  /// Of a sparse layer, whose product has the weights that are not zero: bits of their places.
  std::int64_t metadata_bits = 0;

  /// All of it as one line.
  std::string text() const;
};

/// Reads a table of layers (docs/models.md): a topology of SCALE-Sim, for convolutions or for GEMMs, or a table of
/// matrix products. Its header says which. Adds every bad cell to `problems`.
std::vector<TableLayer> read_layer_table(std::string_view text, const std::string& file, ProblemList& problems);

}  // namespace pimsweep::workload::import
