#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pimsweep::results {

/// HDF5's shuffle filter: the first bytes of all elements, then their second ones, and so on. `to` has the room of
/// `from`, whose length is a multiple of `element`.
void shuffle_bytes(std::string_view from, std::size_t element, char* to);

/// The checksum of HDF5's fletcher32 filter: Fletcher's of big-endian 16-bit words, in which 65535 stands for 0 unless
/// all are 0. A last single byte is the upper half of a word.
std::uint32_t fletcher32(std::string_view bytes);

}  // namespace pimsweep::results
