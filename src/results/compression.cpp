#include "results/compression.h"

#include "results/hdf5_write.h"

namespace pimsweep::results::hdf5 {

namespace {

/// The levels above it take two to ten times as long for a few percent.
constexpr unsigned deflate_level = 1;

/// A file that lives in memory alone.
Hdf5Handle create_memory_file() {
  constexpr std::size_t step_bytes = 1 << 18;
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_fapl_core(access.get(), step_bytes, false), "choose a file in memory");
  return {checked(H5Fcreate("trial of compression", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), "make a file in memory"),
          H5Fclose};
}

}  // namespace

void set_compression(hid_t properties, hid_t type) {
  if (H5Tget_size(type) > 1) check(H5Pset_shuffle(properties), "set the shuffle filter");
  check(H5Pset_deflate(properties, deflate_level), "set compression");
}

bool worth_compressing(std::string_view elements, hid_t type) {
  const hsize_t count = elements.size() / H5Tget_size(type);
  if (count == 0) return true;
  const Hdf5Handle file = create_memory_file();
  const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_chunk(properties.get(), 1, &count), "set the chunk size");
  set_compression(properties.get(), type);
  const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Hdf5Handle dataset(
      checked(H5Dcreate_anon(file.get(), type, space.get(), properties.get(), H5P_DEFAULT), "create a dataset"),
      H5Dclose);
  check(H5Dwrite(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data()), "compress a block");
  return 4 * H5Dget_storage_size(dataset.get()) <= 3 * elements.size();
}

}  // namespace pimsweep::results::hdf5
