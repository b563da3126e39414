#include "results/chunk_encoder.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "results/chunk_filters.h"
#include "results/hdf5_write.h"

using namespace pimsweep::results;
using namespace pimsweep;

namespace {

/// A dataset of one chunk in a file that lives in memory alone.
class OneChunk {
 public:
  explicit OneChunk(const ChunkShape& shape) : shape_(shape) {
    prepare_hdf5();
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access.get(), 1 << 16, false);
    file_ = {H5Fcreate("chunk", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose};
    const Hdf5Handle properties = hdf5::dataset_properties();
    hdf5::set_chunks(properties.get(), shape);
    const std::array<hsize_t, 2> extent{shape.rows, shape.width};
    const Hdf5Handle space(H5Screate_simple(shape.width == 0 ? 1 : 2, extent.data(), nullptr), H5Sclose);
    type_ = hdf5::element_type(shape.type);
    dataset_ = {H5Dcreate2(file_.get(), "x", type_.get(), space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                H5Dclose};
    REQUIRE(dataset_.valid());
  }

  void place(const std::string& bytes) {
    REQUIRE(H5Dwrite_chunk(dataset_.get(), H5P_DEFAULT, 0, first_.data(), bytes.size(), bytes.data()) >= 0);
  }
  std::string cells() const {
    std::string read(shape_.rows * std::max<std::size_t>(shape_.width, 1) * H5Tget_size(type_.get()), '\1');
    REQUIRE(H5Dread(dataset_.get(), type_.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()) >= 0);
    return read;
  }
  /// What HDF5's own filters make of the cells.
  std::string stored(const std::string& of_cells) {
    REQUIRE(H5Dwrite(dataset_.get(), type_.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, of_cells.data()) >= 0);
    REQUIRE(H5Dflush(dataset_.get()) >= 0);
    hsize_t size = 0;
    REQUIRE(H5Dget_chunk_storage_size(dataset_.get(), first_.data(), &size) >= 0);
    std::string bytes(size, '\0');
    std::uint32_t mask = 0;
    REQUIRE(H5Dread_chunk(dataset_.get(), H5P_DEFAULT, first_.data(), &mask, bytes.data()) >= 0);
    return bytes;
  }

 private:
  ChunkShape shape_;
  std::array<hsize_t, 2> first_{};
  Hdf5Handle file_;
  Hdf5Handle type_;
  Hdf5Handle dataset_;
};

/// Bytes of which so many differ.
std::string random_cells(std::size_t size, unsigned values, std::mt19937_64& random) {
  std::string cells(size, '\0');
  for (char& byte : cells) byte = static_cast<char>(random() % values);
  return cells;
}

std::vector<ChunkShape> shapes() {
  std::vector<ChunkShape> all;
  for (const std::uint64_t rows : {1U, 2U, 7U, 8U, 100U, 5000U}) {
    for (const ValueType type : {ValueType::integer, ValueType::real, ValueType::boolean}) {
      for (const bool is_compressed : {false, true}) all.push_back({type, is_compressed, rows, 0});
    }
    all.push_back({ValueType::text, true, rows, 8});
    all.push_back({ValueType::text, true, rows, 24});
  }
  return all;
}

std::size_t bytes_of(const ChunkShape& shape) {
  return shape.rows * (shape.width > 0 ? shape.width : shape.type == ValueType::boolean ? 1 : 8);
}

}  // namespace

TEST_CASE("HDF5 reads encoded chunks") {
  std::mt19937_64 random(1);
  ChunkEncoder encoder;
  for (const ChunkShape& shape : shapes()) {
    for (const unsigned values : {1U, 2U, 256U}) {
      const std::string cells = random_cells(bytes_of(shape), values, random);
      std::string bytes = "before";
      encoder.encode(shape, cells, bytes);
      REQUIRE(bytes.starts_with("before"));
      OneChunk chunk(shape);
      chunk.place(bytes.substr(6));
      CHECK(chunk.cells() == cells);
    }
  }
}

TEST_CASE("a chunk that is not compressed has the bytes that HDF5 stores") {
  std::mt19937_64 random(2);
  ChunkEncoder encoder;
  for (const ChunkShape& shape : shapes()) {
    if (shape.width > 0 || shape.is_compressed) continue;
    // All bits set, where the sums of the checksum wrap most.
    for (const std::string& cells : {random_cells(bytes_of(shape), 256, random), std::string(bytes_of(shape), '\xff'),
                                     std::string(bytes_of(shape), '\0')}) {
      std::string bytes;
      encoder.encode(shape, cells, bytes);
      CHECK(bytes == OneChunk(shape).stored(cells));
    }
  }
}

TEST_CASE("zeros fill a chunk that ends early") {
  std::mt19937_64 random(3);
  ChunkEncoder encoder;
  for (const ChunkShape& shape : shapes()) {
    const std::string cells = random_cells(bytes_of(shape) / 2, 256, random);
    std::string bytes;
    encoder.encode(shape, cells, bytes);
    OneChunk chunk(shape);
    chunk.place(bytes);
    CHECK(chunk.cells() == cells + std::string(bytes_of(shape) - cells.size(), '\0'));
  }
}

TEST_CASE("cells that come again are encoded to the same bytes") {
  std::mt19937_64 random(4);
  ChunkEncoder encoder;
  ChunkEncoder other;
  const ChunkShape shape{ValueType::real, true, 100, 0};
  const ChunkShape shorter{ValueType::real, true, 50, 0};
  // More than are remembered.
  std::vector<std::string> all;
  for (int i = 0; i < 200; ++i) all.push_back(random_cells(bytes_of(shape), 3, random));
  for (int repetition = 0; repetition < 300; ++repetition) {
    const std::size_t number = random() % all.size();
    const ChunkShape& of = repetition % 2 == 0 ? shape : shorter;
    const std::string cells = all[number].substr(0, bytes_of(of));
    std::string known;
    std::string fresh;
    encoder.encode_known(of, std::to_string(number), cells, known);
    other.encode(of, cells, fresh);
    REQUIRE(known == fresh);
  }
}

TEST_CASE("shuffled bytes are those of the first place of all elements, then of the second, and so on") {
  const std::string words = "abcdefghABCDEFGH01234567";
  std::string shuffled(words.size(), ' ');
  shuffle_bytes(words, 8, shuffled.data());
  CHECK(shuffled == "aA0bB1cC2dD3eE4fF5gG6hH7");
  shuffle_bytes(words, 3, shuffled.data());
  CHECK(shuffled == "adgBEH25behCF036cfADG147");
}
