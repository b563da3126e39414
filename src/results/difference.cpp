#include "results/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "results/compare_columns.h"
#include "results/hdf5_read.h"
#include "results/open_results.h"
#include "results/point_cells.h"
#include "results/results_reader.h"
#include "results/study_columns.h"

namespace pimsweep::results {

namespace {

template <typename T>
std::vector<T> without(const std::vector<T>& from, const std::vector<T>& others) {
  std::vector<T> rest;
  std::ranges::copy_if(from, std::back_inserter(rest),
                       [&](const T& item) { return std::ranges::find(others, item) == others.end(); });
  return rest;
}

template <typename T>
std::vector<T> common(const std::vector<T>& from, const std::vector<T>& others) {
  return without(from, without(from, others));
}

/// Origin of a file, by name.
std::map<std::string, std::string> origins_of(const std::string& path) {
  const Hdf5Handle file = open_results(path);
  std::map<std::string, std::string> origins;
  for (const std::string& name : hdf5::attributes(file.get())) {
    if (name != "digest") origins[name] = hdf5::read_text_attribute(file.get(), name.c_str());
  }
  return origins;
}

std::vector<NoteDifference> compare_origins(const std::string& file_a, const std::string& file_b) {
  std::map<std::string, std::string> a = origins_of(file_a);
  std::map<std::string, std::string> b = origins_of(file_b);
  std::set<std::string> names;
  for (const auto& [name, text] : a) names.insert(name);
  for (const auto& [name, text] : b) names.insert(name);
  std::vector<NoteDifference> notes;
  for (const std::string& name : names) {
    if (a[name] != b[name]) notes.push_back({name, a[name], b[name]});
  }
  return notes;
}

/// A study of one of the files.
struct StudySide {
  StudySide(const std::string& results_file, const std::string& id)
      : path(results_file),
        file(open_results(path)),
        group(hdf5::open_group(file.get(), path, id)),
        rows(column("status").rows()),
        varying(results::varying_axes(path, id)) {
    for (const std::string& name : hdf5::members(group.get(), H5O_TYPE_DATASET)) {
      const ColumnReader reader = column(name);
      const ColumnRole role = reader.role();
      if (role == ColumnRole::axis) (reader.follows_hardware() ? constants : axes).push_back(name);
      if (role == ColumnRole::identity) identities.push_back(name);
      if (role != ColumnRole::axis && role != ColumnRole::identity && name != "point") others.push_back(name);
    }
    tables = hdf5::members(group.get(), H5O_TYPE_GROUP);
    std::erase(tables, long_texts_group);
  }

  ColumnReader column(const std::string& name) const { return {group.get(), path, name}; }
  std::string system() const {
    return fmt::format("{} version {}", hdf5::read_text_attribute(group.get(), "system"),
                       hdf5::read_integer_attribute(group.get(), "system_version"));
  }
  bool varies(const std::string& axis) const { return std::ranges::find(varying, axis) != varying.end(); }

  std::string path;
  Hdf5Handle file;
  Hdf5Handle group;
  std::uint64_t rows;
  std::vector<std::string> varying;
  /// Axes, without the constants of hardware files.
  std::vector<std::string> axes = {};
  std::vector<std::string> constants = {};
  std::vector<std::string> identities = {};
  std::vector<std::string> others = {};
  std::vector<std::string> tables = {};
};

LonePoints lone_points(const std::vector<std::uint64_t>& rows, std::size_t max_examples) {
  const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), max_examples));
  return {rows.size(), {rows.begin(), end}};
}

Value status_word(ColumnReader& status, std::uint64_t row) {
  return std::string(systems::name_of(static_cast<systems::Status>(status.integer(row))));
}

class StudyComparison {
 public:
  StudyComparison(const std::string& file_a, const std::string& file_b, const std::string& id,
                  const DifferenceOptions& options)
      : a_(file_a, id), b_(file_b, id), options_(options) {
    result_.study = id;
  }

  StudyDifference compare() && {
    note("system", a_.system(), b_.system());
    match_ = match_by_axes();
    result_.in_both = match_.size();
    result_.only_a = lone_points(match_.only_a, options_.max_examples);
    result_.only_b = lone_points(match_.only_b, options_.max_examples);
    result_.other_identities = count_other_identities();
    compare_inputs();
    compare_group("", a_.group.get(), b_.group.get(), a_.others, b_.others, match_);
    compare_details();
    return std::move(result_);
  }

 private:
  void note(const std::string& name, std::string a, std::string b) {
    if (a != b) result_.notes.push_back({name, std::move(a), std::move(b)});
  }

  /// Axes that distinguish points in either file.
  std::vector<std::string> key_axes() const {
    std::vector<std::string> keys = common(a_.axes, b_.axes);
    std::erase_if(keys, [&](const std::string& axis) { return !a_.varies(axis) && !b_.varies(axis); });
    return keys;
  }

  RowMatch match_by_axes() const {
    std::vector<ColumnReader> keys_a;
    std::vector<ColumnReader> keys_b;
    for (const std::string& axis : key_axes()) {
      keys_a.push_back(a_.column(axis));
      keys_b.push_back(b_.column(axis));
    }
    return match_points(a_.rows, keys_a, b_.rows, keys_b);
  }

  std::uint64_t count_other_identities() const {
    std::uint64_t most = 0;
    for (const std::string& half : common(a_.identities, b_.identities)) {
      ColumnReader a = a_.column(half);
      ColumnReader b = b_.column(half);
      // Two different hashes differ in both halves.
      most = std::max(most, compare_columns(a, b, match_, 0, 0).differing);
    }
    return most;
  }

  void compare_inputs() {
    std::vector<std::string> all_a = a_.axes;
    std::vector<std::string> all_b = b_.axes;
    all_a.insert(all_a.end(), a_.constants.begin(), a_.constants.end());
    all_b.insert(all_b.end(), b_.constants.begin(), b_.constants.end());
    result_.columns_only_a = without(all_a, all_b);
    result_.columns_only_b = without(all_b, all_a);
    for (const std::string& axis : without(common(all_a, all_b), key_axes())) {
      compare_column("", a_.column(axis), b_.column(axis), match_, result_.inputs);
    }
  }

  void compare_group(const std::string& table, hid_t group_a, hid_t group_b, const std::vector<std::string>& names_a,
                     const std::vector<std::string>& names_b, const RowMatch& match) {
    const std::string prefix = table.empty() ? "" : table + "/";
    for (const std::string& name : without(names_a, names_b)) result_.columns_only_a.push_back(prefix + name);
    for (const std::string& name : without(names_b, names_a)) result_.columns_only_b.push_back(prefix + name);
    for (const std::string& name : common(names_a, names_b)) {
      compare_column(table, {group_a, a_.path, name}, {group_b, b_.path, name}, match, result_.outputs);
    }
  }

  void compare_column(const std::string& table, ColumnReader a, ColumnReader b, const RowMatch& match,
                      std::vector<ColumnDifference>& found) {
    const std::string name = table.empty() ? a.name() : fmt::format("{}/{}", table, a.name());
    note("unit of " + name, a.unit(), b.unit());
    note("type of " + name, std::string(name_of(a.type())), std::string(name_of(b.type())));
    if (a.type() != b.type() || match.both.empty()) return;
    ColumnDifference difference = compare_columns(a, b, match, options_.tolerance, options_.max_examples);
    difference.table = table;
    if (name == "status") {
      for (CellChange& change : difference.largest) {
        change.a = status_word(a, change.row_a);
        change.b = status_word(b, change.row_b);
      }
    }
    if (difference.differing > 0) found.push_back(std::move(difference));
  }

  void compare_details() {
    for (const std::string& table : without(a_.tables, b_.tables)) result_.columns_only_a.push_back(table + "/*");
    for (const std::string& table : without(b_.tables, a_.tables)) result_.columns_only_b.push_back(table + "/*");
    for (const std::string& table : common(a_.tables, b_.tables)) {
      const Hdf5Handle group_a = hdf5::open_group(a_.group.get(), a_.path, table);
      const Hdf5Handle group_b = hdf5::open_group(b_.group.get(), b_.path, table);
      ColumnReader owner_a(group_a.get(), a_.path, "point");
      ColumnReader owner_b(group_b.get(), b_.path, "point");
      std::uint64_t other_sizes = 0;
      const RowMatch rows = match_details(match_, owner_a, owner_b, other_sizes);
      if (other_sizes > 0) {
        result_.notes.push_back({fmt::format("rows of table {} at {} of the points in both", table, other_sizes),
                                 fmt::format("{} in all", owner_a.rows()), fmt::format("{} in all", owner_b.rows())});
      }
      const std::size_t first = result_.outputs.size();
      compare_group(table, group_a.get(), group_b.get(), columns_of_table(group_a.get()),
                    columns_of_table(group_b.get()), rows);
      for (std::size_t i = first; i < result_.outputs.size(); ++i) {
        for (CellChange& change : result_.outputs[i].largest) {
          change.point_a = static_cast<std::uint64_t>(owner_a.integer(change.row_a));
          change.point_b = static_cast<std::uint64_t>(owner_b.integer(change.row_b));
        }
      }
    }
  }

  /// All columns but the numbers of rows and points.
  static std::vector<std::string> columns_of_table(hid_t group) {
    std::vector<std::string> names = hdf5::members(group, H5O_TYPE_DATASET);
    std::erase(names, "point");
    std::erase(names, "row");
    return names;
  }

  StudySide a_;
  StudySide b_;
  DifferenceOptions options_;
  RowMatch match_;
  StudyDifference result_;
};

}  // namespace

bool StudyDifference::is_equal() const {
  // A version may be raised without a change of any value.
  const bool other_columns = std::ranges::any_of(notes, [](const NoteDifference& n) { return n.name != "system"; });
  return !other_columns && columns_only_a.empty() && columns_only_b.empty() && only_a.count == 0 && only_b.count == 0 &&
         inputs.empty() && outputs.empty();
}

bool FileDifference::is_equal() const {
  return studies_only_a.empty() && studies_only_b.empty() &&
         std::ranges::all_of(studies, [](const StudyDifference& study) { return study.is_equal(); });
}

FileDifference find_differences(const std::string& file_a, const std::string& file_b,
                                const DifferenceOptions& options) {
  std::vector<std::string> ids_a = study_ids(file_a);
  std::vector<std::string> ids_b = study_ids(file_b);
  if (!options.studies.empty()) {
    const std::vector<std::string> unknown = without(options.studies, ids_b);
    if (!unknown.empty()) chosen_studies(file_a, unknown);
    ids_a = common(ids_a, options.studies);
    ids_b = common(ids_b, options.studies);
  }
  FileDifference difference;
  difference.origins = compare_origins(file_a, file_b);
  difference.studies_only_a = without(ids_a, ids_b);
  difference.studies_only_b = without(ids_b, ids_a);
  for (const std::string& id : common(ids_a, ids_b)) {
    difference.studies.push_back(StudyComparison(file_a, file_b, id, options).compare());
  }
  return difference;
}

}  // namespace pimsweep::results
