#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/value.h"
#include "results/deflater.h"
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

/// Makes of chunks what HDF5's filters would make of them, so that they can be placed into a file as they are
/// (H5Dwrite_chunk), by another process. It is done without HDF5, for which each chunk would have to be written to a
/// file in memory and be read again.
class ChunkEncoder {
 public:
  /// Appends the stored bytes of a chunk. `cells` may end before the chunk does: zeros fill it.
  void encode(const ChunkShape& shape, std::string_view cells, std::string& bytes);
  /// The same for cells that come again: `key` tells them apart from all others of the shape.
  void encode_known(const ChunkShape& shape, const std::string& key, std::string_view cells, std::string& bytes);

 private:
  Deflater deflater_;
  std::string padded_;
  std::string shuffled_;
  std::map<std::pair<ChunkShape, std::string>, std::string> known_;
};

}  // namespace pimsweep::results
