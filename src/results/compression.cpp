#include "results/compression.h"

#include <zlib.h>

#include <stdexcept>

namespace pimsweep::results {

std::string deflate(std::string_view chunk) {
  uLongf size = compressBound(chunk.size());
  std::string deflated(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(deflated.data()), &size, reinterpret_cast<const Bytef*>(chunk.data()),
                chunk.size(), static_cast<int>(deflate_level)) != Z_OK) {
    throw std::runtime_error("zlib cannot compress a chunk");
  }
  deflated.resize(size);
  return deflated;
}

std::string shuffle(std::string_view elements, std::size_t width) {
  const std::size_t count = elements.size() / width;
  std::string shuffled(elements.size(), '\0');
  for (std::size_t byte = 0; byte < width; ++byte) {
    for (std::size_t i = 0; i < count; ++i) shuffled[byte * count + i] = elements[i * width + byte];
  }
  return shuffled;
}

}  // namespace pimsweep::results
