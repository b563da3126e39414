#include "results/chunk_filters.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace pimsweep::results {

namespace {

constexpr std::uint64_t modulus = 65535;

/// The residue as HDF5's repeated addition of carries leaves it.
std::uint64_t fold(std::uint64_t sum) { return sum == 0 ? 0 : (sum - 1) % modulus + 1; }

std::uint64_t word_at(const char* bytes) {
  return (std::uint64_t{static_cast<unsigned char>(bytes[0])} << 8U) | static_cast<unsigned char>(bytes[1]);
}

/// Of elements of eight bytes. Eight of them are turned at a time, which fills whole words of each plane.
void shuffle_words(std::string_view from, char* to) {
  constexpr std::size_t width = 8;
  const std::size_t count = from.size() / width;
  const std::size_t whole = count / width * width;
  for (std::size_t first = 0; first < whole; first += width) {
    std::array<char, width * width> in;
    std::memcpy(in.data(), from.data() + first * width, in.size());
    for (std::size_t byte = 0; byte < width; ++byte) {
      std::array<char, width> plane;
      for (std::size_t i = 0; i < width; ++i) plane[i] = in[i * width + byte];
      std::memcpy(to + byte * count + first, plane.data(), width);
    }
  }
  for (std::size_t i = whole; i < count; ++i) {
    for (std::size_t byte = 0; byte < width; ++byte) to[byte * count + i] = from[i * width + byte];
  }
}

}  // namespace

void shuffle_bytes(std::string_view from, std::size_t element, char* to) {
  if (element == sizeof(std::uint64_t)) return shuffle_words(from, to);
  const std::size_t count = from.size() / element;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t byte = 0; byte < element; ++byte) to[byte * count + i] = from[i * element + byte];
  }
}

std::uint32_t fletcher32(std::string_view bytes) {
  // So many words that their weighted sum cannot wrap.
  constexpr std::size_t piece = 4096;
  const std::size_t words = bytes.size() / 2;
  std::uint64_t sum = 0;
  std::uint64_t sum_of_sums = 0;
  for (std::size_t begin = 0; begin < words; begin += piece) {
    const std::size_t count = std::min(piece, words - begin);
    const char* const data = bytes.data() + 2 * begin;
    std::uint64_t plain = 0;
    std::uint64_t weighted = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t word = word_at(data + 2 * i);
      plain += word;
      weighted += (count - i) * word;
    }
    sum_of_sums = fold(sum_of_sums + count * sum + weighted);
    sum = fold(sum + plain);
  }
  if (bytes.size() % 2 != 0) {
    sum = fold(sum + (std::uint64_t{static_cast<unsigned char>(bytes.back())} << 8U));
    sum_of_sums = fold(sum_of_sums + sum);
  }
  return static_cast<std::uint32_t>((sum_of_sums << 16U) | sum);
}

}  // namespace pimsweep::results
