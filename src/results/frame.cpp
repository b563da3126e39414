#include "results/frame.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>

#include "base/error.h"
#include "results/hdf5_handle.h"

namespace pimsweep {

namespace {

std::string read_text_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return {};
  const Hdf5Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute.get()), H5Tclose);
  if (H5Tis_variable_str(type.get()) <= 0) return {};
  char* text = nullptr;
  H5Aread(attribute.get(), type.get(), &text);
  std::string copy = text == nullptr ? "" : text;
  H5free_memory(text);
  return copy;
}

FrameColumn read_column(hid_t group, const std::string& name) {
  const Hdf5Handle dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose);
  const Hdf5Handle type(H5Dget_type(dataset.get()), H5Tclose);
  const auto rows = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get()));
  FrameColumn column;
  column.unit = read_text_attribute(dataset.get(), "units");
  column.role = read_text_attribute(dataset.get(), "role");
  if (H5Tget_class(type.get()) == H5T_STRING) {
    std::vector<char*> texts(rows, nullptr);
    if (rows > 0) H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data());
    for (const char* text : texts) column.texts.emplace_back(text == nullptr ? "" : text);
    if (rows > 0) H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, texts.data());
  } else {
    column.numbers.resize(rows);
    if (rows > 0) H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.numbers.data());
  }
  return column;
}

/// Integers of 64 bits, which a double could not hold.
std::vector<std::int64_t> read_integers(hid_t group, const char* name) {
  const Hdf5Handle dataset(H5Dopen2(group, name, H5P_DEFAULT), H5Dclose);
  const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose);
  std::vector<std::int64_t> numbers(
      static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space.get()))));
  if (!numbers.empty()) H5Dread(dataset.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
  return numbers;
}

/// Names of the links of a group that are of one kind.
std::vector<std::string> members(hid_t group, H5O_type_t kind) {
  struct Visit {
    H5O_type_t kind;
    std::vector<std::string> names;
  } visit{kind, {}};
  const auto collect = [](hid_t parent, const char* name, const H5L_info_t*, void* data) -> herr_t {
    auto& found = *static_cast<Visit*>(data);
    H5O_info_t info;
    if (H5Oget_info_by_name2(parent, name, &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0 && info.type == found.kind) {
      found.names.emplace_back(name);
    }
    return 0;
  };
  H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &visit);
  return visit.names;
}

Frame read_group(hid_t group) {
  Frame frame;
  for (const std::string& name : members(group, H5O_TYPE_DATASET)) {
    FrameColumn column = read_column(group, name);
    frame.rows = std::max(column.numbers.size(), column.texts.size());
    frame.columns.emplace(name, std::move(column));
  }
  return frame;
}

Hdf5Handle open_results(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) throw InputError(fmt::format("'{}' is missing or no HDF5 file", path));
  return {file, H5Fclose};
}

Hdf5Handle open_group(hid_t file, const std::string& path, const std::string& name) {
  const hid_t group = H5Gopen2(file, name.c_str(), H5P_DEFAULT);
  if (group < 0) throw InputError(fmt::format("'{}' has no group '{}'", path, name));
  return {group, H5Gclose};
}

}  // namespace

std::vector<std::string> study_ids(const std::string& results_file) {
  const Hdf5Handle file = open_results(results_file);
  std::vector<std::string> ids;
  for (std::string& name : members(file.get(), H5O_TYPE_GROUP)) {
    if (name != "provenance") ids.push_back(std::move(name));
  }
  return ids;
}

Frame read_study(const std::string& results_file, const std::string& study) {
  const Hdf5Handle file = open_results(results_file);
  return read_group(open_group(file.get(), results_file, study).get());
}

std::string study_system(const std::string& results_file, const std::string& study) {
  const Hdf5Handle file = open_results(results_file);
  return read_text_attribute(open_group(file.get(), results_file, study).get(), "system");
}

std::vector<Hash128> read_identities(const std::string& results_file, const std::string& study) {
  const Hdf5Handle file = open_results(results_file);
  const Hdf5Handle group = open_group(file.get(), results_file, study);
  const std::vector<std::int64_t> high = read_integers(group.get(), "identity_high");
  const std::vector<std::int64_t> low = read_integers(group.get(), "identity_low");
  std::vector<Hash128> identities;
  for (std::size_t i = 0; i < high.size(); ++i) {
    identities.push_back({static_cast<std::uint64_t>(high[i]), static_cast<std::uint64_t>(low[i])});
  }
  return identities;
}

std::vector<double> read_seconds(const std::string& results_file, const std::string& study) {
  const Hdf5Handle file = open_results(results_file);
  return read_column(open_group(file.get(), results_file, "provenance/" + study).get(), "seconds").numbers;
}

Frame read_table(const std::string& results_file, const std::string& study, const std::string& table) {
  const Hdf5Handle file = open_results(results_file);
  return read_group(open_group(file.get(), results_file, study + "/" + table).get());
}

Frame read_detail(const std::string& results_file, const std::string& study, const std::string& table) {
  Frame detail = read_table(results_file, study, table);
  const Frame points = read_study(results_file, study);
  const FrameColumn owner = detail.columns.at("point");
  for (const auto& [name, column] : points.columns) {
    if (detail.columns.contains(name)) continue;
    FrameColumn joined;
    joined.unit = column.unit;
    joined.role = column.role;
    for (const double point : owner.numbers) {
      const auto row = static_cast<std::size_t>(point);
      if (column.is_text())
        joined.texts.push_back(column.texts[row]);
      else
        joined.numbers.push_back(column.numbers[row]);
    }
    detail.columns.emplace(name, std::move(joined));
  }
  return detail;
}

}  // namespace pimsweep
