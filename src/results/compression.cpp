#include "results/compression.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "results/hdf5_write.h"

namespace pimsweep::results::hdf5 {

namespace {

/// The levels above it take two to ten times as long for a few percent.
constexpr unsigned deflate_level = 1;

}  // namespace

Hdf5Handle create_memory_file() {
  constexpr std::size_t step_bytes = 1 << 18;
  // HDF5 refuses to make a file twice, and knows one in memory by its name.
  static std::atomic<std::uint64_t> files = 0;
  const std::string name = fmt::format("chunks {}", files++);
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_fapl_core(access.get(), step_bytes, false), "choose a file in memory");
  return {checked(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), "make a file in memory"), H5Fclose};
}

void set_compression(hid_t properties, hid_t type) {
  if (H5Tget_size(type) > 1) check(H5Pset_shuffle(properties), "set the shuffle filter");
  check(H5Pset_deflate(properties, deflate_level), "set compression");
}

}  // namespace pimsweep::results::hdf5
