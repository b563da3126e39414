#include "results/chunk_encoder.h"

#include <array>

#include "results/compression.h"
#include "results/hdf5_write.h"

namespace pimsweep::results {

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
  const std::array<hsize_t, 2> chunk{shape.rows, shape.width};
  const Hdf5Handle type = element_type(shape.type);
  check(H5Pset_chunk(properties, shape.width == 0 ? 1 : 2, chunk.data()), "set the chunk size");
  // Deflate has a checksum of its own.
  if (shape.width > 0) return set_compression(properties, type.get());
  if (shape.is_compressed) set_compression(properties, type.get());
  check(H5Pset_fletcher32(properties), "set checksums");
}

}  // namespace hdf5

ChunkEncoder::ChunkEncoder() {
  prepare_hdf5();
  file_ = hdf5::create_memory_file();
}

hid_t ChunkEncoder::dataset_of(const ChunkShape& shape) {
  const auto found = datasets_.find(shape);
  if (found != datasets_.end()) return found->second.get();
  // Blocks of a study of fewer rows than a chunk have a shape of their own.
  constexpr std::size_t max_datasets = 64;
  if (datasets_.size() >= max_datasets) {
    datasets_.clear();
    file_ = hdf5::create_memory_file();
  }
  const Hdf5Handle properties = hdf5::dataset_properties();
  hdf5::set_chunks(properties.get(), shape);
  const std::array<hsize_t, 2> extent{shape.rows, shape.width};
  const Hdf5Handle space(H5Screate_simple(shape.width == 0 ? 1 : 2, extent.data(), nullptr), H5Sclose);
  const Hdf5Handle type = hdf5::element_type(shape.type);
  Hdf5Handle dataset(hdf5::checked(H5Dcreate_anon(file_.get(), type.get(), space.get(), properties.get(), H5P_DEFAULT),
                                   "create a dataset"),
                     H5Dclose);
  return datasets_.emplace(shape, std::move(dataset)).first->second.get();
}

std::uint32_t ChunkEncoder::encode(const ChunkShape& shape, std::string_view cells, std::string& bytes) {
  const hid_t dataset = dataset_of(shape);
  const Hdf5Handle type = hdf5::element_type(shape.type);
  const std::size_t whole = shape.rows * std::max<std::size_t>(shape.width, 1) * H5Tget_size(type.get());
  if (cells.size() < whole) {
    padded_ = cells;
    padded_.resize(whole, '\0');
    cells = padded_;
  }
  hdf5::check(H5Dwrite(dataset, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, cells.data()), "encode a chunk");
  hdf5::check(H5Dflush(dataset), "encode a chunk");
  const std::array<hsize_t, 2> first{0, 0};
  hsize_t size = 0;
  hdf5::check(H5Dget_chunk_storage_size(dataset, first.data(), &size), "encode a chunk");
  const std::size_t begin = bytes.size();
  bytes.resize(begin + size);
  std::uint32_t mask = 0;
  hdf5::check(H5Dread_chunk(dataset, H5P_DEFAULT, first.data(), &mask, bytes.data() + begin), "encode a chunk");
  return mask;
}

}  // namespace pimsweep::results
