#include "hdf5_edits.h"

#include <hdf5.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "expect.h"
#include "results/hdf5_handle.h"

namespace pimsweep::fuzz {

namespace {

using results::Hdf5Handle;

constexpr std::array objects{"/s/point",
                             "/s/x",
                             "/s/policy",
                             "/s/fast",
                             "/s/n",
                             "/s/label_layer",
                             "/s/reference_latency",
                             "/s/fidelity",
                             "/s/model",
                             "/s/latency",
                             "/s/energy",
                             "/s/winner",
                             "/s/status",
                             "/s/message",
                             "/s/identity_high",
                             "/s/identity_low",
                             "/s/stages",
                             "/s/stages/row",
                             "/s/stages/point",
                             "/s/stages/stage",
                             "/s/stages/share",
                             "/s/long_texts",
                             "/s/long_texts/winner",
                             "/s/long_texts/winner/piece",
                             "/s/long_texts/winner/owner",
                             "/s/long_texts/winner/text",
                             "/s",
                             "/t",
                             "/provenance",
                             "/provenance/s",
                             "/provenance/s/seconds",
                             "/string8",
                             "/s/label_x",
                             "/s/reference_",
                             "/s/empty",
                             "/"};
constexpr std::array attributes{"role",   "units",          "source", "system", "system_version",
                                "format", "format_version", "title",  "other"};
constexpr std::array texts{"axis", "metric", "label", "reference", "identity", "hardware x", "fake", "1", "B/s", "?"};
constexpr std::array<double, 9> numbers{0, 1, -1, 0.5, 7, 1e18, -1e300, std::numeric_limits<double>::infinity(), NAN};

template <typename List>
auto choose(const List& list, ByteReader& edits) {
  return list[edits.number<std::uint8_t>() % list.size()];
}

/// A type that columns have, or one that they do not.
Hdf5Handle choose_type(ByteReader& edits) {
  switch (edits.number<std::uint8_t>() % 10) {
    case 0:
      return {H5Tcopy(H5T_STD_I8LE), H5Tclose};
    case 1:
      return {H5Tcopy(H5T_STD_I64LE), H5Tclose};
    case 2:
      return {H5Tcopy(H5T_STD_U64BE), H5Tclose};
    case 3:
      return {H5Tcopy(H5T_IEEE_F32LE), H5Tclose};
    case 4:
      return {H5Tcopy(H5T_NATIVE_LDOUBLE), H5Tclose};
    case 5: {
      Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
      H5Tset_size(type.get(), H5T_VARIABLE);
      return type;
    }
    case 6: {
      const Hdf5Handle base(H5Tcopy(H5T_STD_I8LE), H5Tclose);
      return {H5Tenum_create(base.get()), H5Tclose};
    }
    case 7:
      return {H5Tcreate(H5T_COMPOUND, 8), H5Tclose};
    case 8:
      return {H5Tcopy(H5T_C_S1), H5Tclose};
    default:
      return {H5Tcopy(H5T_IEEE_F64LE), H5Tclose};
  }
}

/// Puts a new dataset in the place of an object.
void replace_dataset(hid_t file, const char* name, ByteReader& edits) {
  const Hdf5Handle type = choose_type(edits);
  constexpr std::array<hsize_t, 8> lengths{0, 1, 2, 7, 8, 9, 100, hsize_t{1} << 40};
  const std::array<hsize_t, 2> extent{choose(lengths, edits), choose(lengths, edits)};
  const std::array<hsize_t, 2> chunk{1 + choose(lengths, edits) % 1000, 1 + extent[1] % 1000};
  const std::uint8_t flags = edits.number<std::uint8_t>();
  const int rank = 1 + flags % 2;
  const Hdf5Handle space(H5Screate_simple(rank, extent.data(), nullptr), H5Sclose);
  const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if ((flags & 4U) == 0) H5Pset_chunk(properties.get(), rank, chunk.data());
  if ((flags & 8U) != 0) H5Pset_fletcher32(properties.get());
  if ((flags & 16U) != 0) H5Pset_deflate(properties.get(), 1);
  H5Ldelete(file, name, H5P_DEFAULT);
  const Hdf5Handle made(H5Dcreate2(file, name, type.get(), space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                        H5Dclose);
}

/// Sets one element, or all, of a dataset of numbers.
void set_values(hid_t file, const char* name, ByteReader& edits) {
  const Hdf5Handle dataset(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) return;
  const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  constexpr hssize_t max_count = 100'000;
  if (count <= 0 || count > max_count) return;
  std::vector<double> cells(static_cast<std::size_t>(count));
  if (H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells.data()) < 0) return;
  const std::size_t place = edits.number<std::uint8_t>();
  const double number = choose(numbers, edits);
  if (place < cells.size())
    cells[place] = number;
  else
    cells.assign(cells.size(), number);
  H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells.data());
}

void set_extent(hid_t file, const char* name, ByteReader& edits) {
  const Hdf5Handle dataset(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) return;
  constexpr std::array<hsize_t, 8> lengths{0, 1, 3, 8, 9, 5000, 1 << 20, hsize_t{1} << 40};
  const std::array<hsize_t, 2> extent{choose(lengths, edits), choose(lengths, edits)};
  // HDF5 visits all chunks of a dataset that it shortens.
  const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose);
  if (H5Sget_simple_extent_npoints(space.get()) > 1 << 20) return;
  H5Dset_extent(dataset.get(), extent.data());
}

void set_attribute(hid_t file, const char* name, ByteReader& edits) {
  const Hdf5Handle object(H5Oopen(file, name, H5P_DEFAULT), H5Oclose);
  if (!object.valid()) return;
  const char* attribute = choose(attributes, edits);
  H5Adelete(object.get(), attribute);
  const std::uint8_t form = edits.number<std::uint8_t>() % 4;
  if (form == 0) return;
  const Hdf5Handle space(H5Screate(form == 3 ? H5S_NULL : H5S_SCALAR), H5Sclose);
  const char* text = choose(texts, edits);
  if (form == 1) {
    const auto number = static_cast<std::int64_t>(edits.number<std::uint8_t>()) - 1;
    const Hdf5Handle made(H5Acreate2(object.get(), attribute, H5T_STD_I64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                          H5Aclose);
    H5Awrite(made.get(), H5T_NATIVE_INT64, &number);
    return;
  }
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  const Hdf5Handle made(H5Acreate2(object.get(), attribute, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
                        H5Aclose);
  if (form == 2) H5Awrite(made.get(), type.get(), static_cast<const void*>(&text));
}

void edit(hid_t file, ByteReader& edits) {
  const std::uint8_t kind = edits.number<std::uint8_t>() % 10;
  const char* name = choose(objects, edits);
  switch (kind) {
    case 0:
      H5Ldelete(file, name, H5P_DEFAULT);
      break;
    case 1:
      H5Lmove(file, name, file, choose(objects, edits), H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 2:
      H5Ldelete(file, name, H5P_DEFAULT);
      H5Lcreate_soft(choose(objects, edits), file, name, H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 3:
      H5Ldelete(file, name, H5P_DEFAULT);
      H5Lcreate_hard(file, choose(objects, edits), file, name, H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 4:
      H5Ldelete(file, name, H5P_DEFAULT);
      H5Lcreate_external("/dev/null", "/s", file, name, H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 5: {
      const Hdf5Handle made(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
      break;
    }
    case 6:
      replace_dataset(file, name, edits);
      break;
    case 7:
      set_values(file, name, edits);
      break;
    case 8:
      set_extent(file, name, edits);
      break;
    default:
      set_attribute(file, name, edits);
  }
}

}  // namespace

void edit_results(const std::string& path, ByteReader& edits) {
  results::prepare_hdf5();
  constexpr int max_edits = 8;
  for (int i = 0; i < max_edits && !edits.at_end(); ++i) {
    // Opened again for each edit: after a call that fails, HDF5 may hold links that are not in the file, and crash on
    // them.
    const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    if (i == 0) require(file.valid(), "the results file opens");
    if (!file.valid()) return;
    edit(file.get(), edits);
  }
}

}  // namespace pimsweep::fuzz
