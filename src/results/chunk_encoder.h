#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/value.h"
#include "results/hdf5_handle.h"

namespace pimsweep::results {

/// How the cells of a column are stored in one chunk.
struct ChunkShape {
  ValueType type = ValueType::real;
  /// Numbers: shuffle and deflate before the checksum. Texts are always compressed.
  bool is_compressed = false;
  std::uint64_t rows = 0;
  /// Bytes of each text; 0 for numbers.
  std::uint32_t width = 0;
  friend auto operator<=>(const ChunkShape&, const ChunkShape&) = default;
};

namespace hdf5 {
/// Type of a column's elements in the file; of texts, one character.
Hdf5Handle element_type(ValueType type);
/// Adds chunks and filters of this shape to the properties of a new dataset.
void set_chunks(hid_t properties, const ChunkShape& shape);
}  // namespace hdf5

/// Passes chunks through HDF5's filters, in a file that lives in memory alone, so that they can be placed into another
/// file as they are (H5Dwrite_chunk), by another process.
class ChunkEncoder {
 public:
  ChunkEncoder();

  /// Appends the stored bytes of a chunk. `cells` may end before the chunk does: zeros fill it. Returns the mask of the
  /// filters that were left out.
  std::uint32_t encode(const ChunkShape& shape, std::string_view cells, std::string& bytes);

 private:
  hid_t dataset_of(const ChunkShape& shape);

  Hdf5Handle file_;
  std::map<ChunkShape, Hdf5Handle> datasets_;
  std::string padded_;
};

}  // namespace pimsweep::results
