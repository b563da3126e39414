#pragma once

#include <cstddef>
#include <memory>
#include <span>

struct libdeflate_compressor;

namespace pimsweep::results {

/// Compresses to the format of zlib, as HDF5's deflate filter does. The bytes are those of HDF5 and its readers, but
/// not the same as zlib's.
class Deflater {
 public:
  Deflater();

  /// Compresses a piece as a whole. The result is valid until the next call.
  std::span<const char> compress(std::span<const char> bytes);

 private:
  std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor_;
  std::unique_ptr<char[]> buffer_;
  std::size_t room_ = 0;
};

}  // namespace pimsweep::results
