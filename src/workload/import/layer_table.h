#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "workload/operator_graph.h"

namespace pimsweep::workload::import {

/// Roles of the movements between the rows of a table: of a layer that the table leaves out, such as pooling, and of
/// the part of a map that the windows of a convolution read.
inline constexpr std::string_view not_in_table_role = "not_in_table";
inline constexpr std::string_view window_input_role = "window_input";

/// Convolution without padding, whose last windows may reach beyond the map, as in SCALE-Sim.
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

/// GEMM whose right factor is weights or a second tensor.
struct TableProduct {
  MatrixProduct product;
  bool has_weights = true;
};

struct TableLayer {
  /// Name, unique in its table.
  std::string name;
  std::variant<TableConvolution, TableProduct> layer;
  /// Bits that store the positions of nonzero weights in a sparse layer, whose GEMM has only those weights.
  std::int64_t metadata_bits = 0;

  /// All members in one line of text.
  std::string text() const;
};

/// Reads a layer table (docs/models.md): a SCALE-Sim topology of convolutions or GEMMs, or a table of GEMMs with named
/// columns. The header determines the form. Rows of a topology with nothing but a name, before others, are `headings`.
/// Adds every bad cell to `problems`.
std::vector<TableLayer> read_layer_table(std::string_view text, const std::string& file,
                                         std::vector<std::string>& headings, ProblemList& problems);

}  // namespace pimsweep::workload::import
