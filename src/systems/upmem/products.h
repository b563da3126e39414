#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "workload/input_size.h"
#include "workload/model_library.h"

namespace pimsweep::systems::upmem {

/// A matrix by vectors, with an output for each row and vector.
struct Matrix {
  double rows = 0;
  double columns = 0;
  double vectors = 1;

  bool operator==(const Matrix&) const = default;
};

/// Matrices of a network with the same input, and all equal ones of a network that generates no text; numbers are
/// indices of NetworkWork::matrices.
struct Product {
  std::string name;
  /// Matrices that a step multiplies, and those that are stored: all experts of a block are.
  double times = 1;
  double stored = 1;
  /// Queries, keys and values, or gate and up; a single matrix otherwise.
  std::vector<std::size_t> parts = {};
  /// All parts as one matrix.
  std::size_t joined = 0;
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
  /// The different ones.
  std::vector<Matrix> matrices;
  double cache_bytes = 0;
};

/// Throws PointError for a size that does not suit the model and for a network without weights.
NetworkWork work_of(const workload::ModelLibrary& models, const NetworkChoice& choice);

}  // namespace pimsweep::systems::upmem
