#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "workload/input_size.h"
#include "workload/model_library.h"

namespace pimsweep::systems::upmem {

/// Matrices of a network by vectors: each of `times` matrices has `inner` columns, and an output for each of its rows.
struct Product {
  std::string name;
  /// Matrices that a step multiplies, and those that are stored: all experts of a block are.
  double times = 1;
  double stored = 1;
  double vectors = 1;
  double inner = 0;
  /// Rows of matrices with the same input that may be joined: queries, keys and values; gate and up.
  std::vector<double> rows;

  double all_rows() const;
};

/// The network, and what it processes at once.
struct NetworkChoice {
  std::string_view model;
  workload::InputSize size;
  std::int64_t batch = 1;
  /// Tokens before the new one, for models that generate text.
  std::int64_t context = 0;
};

/// The products of a step of generating text, or of an inference of another network, and the bytes of the KV cache
/// that attention reads from and writes to the host's memory.
struct NetworkWork {
  std::vector<Product> products;
  double cache_bytes = 0;
};

/// Throws PointError for a size that does not suit the model and for a network without weights.
NetworkWork work_of(const workload::ModelLibrary& models, const NetworkChoice& choice);

}  // namespace pimsweep::systems::upmem
