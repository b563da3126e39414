#include "results/chunk_encoder.h"

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "results/chunk_filters.h"
#include "results/hdf5_write.h"

namespace pimsweep::results {

namespace {

std::size_t element_bytes(ValueType type) {
  return type == ValueType::boolean || type == ValueType::text ? 1 : sizeof(std::uint64_t);
}

}  // namespace

namespace hdf5 {

Hdf5Handle element_type(ValueType type) {
  switch (type) {
    case ValueType::integer:
      return {H5Tcopy(H5T_STD_I64LE), H5Tclose};
    case ValueType::real:
      return {H5Tcopy(H5T_IEEE_F64LE), H5Tclose};
    case ValueType::boolean:
      return {H5Tcopy(H5T_STD_I8LE), H5Tclose};
    case ValueType::text:
      break;
  }
  Hdf5Handle character(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_strpad(character.get(), H5T_STR_NULLPAD), "make a character type");
  return character;
}

void set_chunks(hid_t properties, const ChunkShape& shape) {
  // Readers need not know the level.
  constexpr unsigned deflate_level = 1;
  const bool is_text = shape.width > 0;
  const std::array<hsize_t, 2> chunk{shape.rows, shape.width};
  check(H5Pset_chunk(properties, is_text ? 2 : 1, chunk.data()), "set the chunk size");
  if (is_text || shape.is_compressed) {
    if (element_bytes(shape.type) > 1) check(H5Pset_shuffle(properties), "set the shuffle filter");
    check(H5Pset_deflate(properties, deflate_level), "set compression");
  }
  // Deflate has a checksum of its own.
  if (!is_text) check(H5Pset_fletcher32(properties), "set checksums");
}

}  // namespace hdf5

void ChunkEncoder::encode(const ChunkShape& shape, std::string_view cells, std::string& bytes) {
  const std::size_t element = element_bytes(shape.type);
  const std::size_t whole = shape.rows * std::max<std::size_t>(shape.width, 1) * element;
  if (cells.size() < whole) {
    padded_ = cells;
    padded_.resize(whole, '\0');
    cells = padded_;
  }
  const bool is_text = shape.width > 0;
  if (is_text || shape.is_compressed) {
    if (element > 1) {
      shuffled_.resize(whole);
      shuffle_bytes(cells, element, shuffled_.data());
      cells = shuffled_;
    }
    const std::span<const char> compressed = deflater_.compress(cells);
    cells = {compressed.data(), compressed.size()};
  }
  bytes.append(cells);
  if (!is_text) append_number(bytes, fletcher32(cells));
}

void ChunkEncoder::encode_known(const ChunkShape& shape, const std::string& key, std::string_view cells,
                                std::string& bytes) {
  constexpr std::size_t max_known = 64;
  const auto found = known_.find({shape, key});
  if (found != known_.end()) {
    bytes.append(found->second);
    return;
  }
  const std::size_t begin = bytes.size();
  encode(shape, cells, bytes);
  if (known_.size() >= max_known) known_.clear();
  known_.emplace(std::pair{shape, key}, bytes.substr(begin));
}

}  // namespace pimsweep::results
