#include "results/deflater.h"

#include <libdeflate.h>

#include <new>
#include <stdexcept>

namespace pimsweep::results {

namespace {

/// The fastest one.
constexpr int level = 1;

}  // namespace

Deflater::Deflater() : compressor_(libdeflate_alloc_compressor(level), libdeflate_free_compressor) {
  if (!compressor_) throw std::bad_alloc();
}

std::span<const char> Deflater::compress(std::span<const char> bytes) {
  const std::size_t bound = libdeflate_zlib_compress_bound(compressor_.get(), bytes.size());
  if (room_ < bound) {
    buffer_ = std::make_unique_for_overwrite<char[]>(bound);
    room_ = bound;
  }
  const std::size_t size =
      libdeflate_zlib_compress(compressor_.get(), bytes.data(), bytes.size(), buffer_.get(), room_);
  if (size == 0) throw std::logic_error("compressed bytes are longer than their bound");
  return {buffer_.get(), size};
}

}  // namespace pimsweep::results
