#include "results/results_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "base/error.h"
#include "results/column_reader.h"
#include "results/hdf5_read.h"
#include "results/open_results.h"
#include "results/results_file.h"

namespace pimsweep::results {

namespace {

/// A metric that is a number is stored as a real, for it may be missing.
ValueType stored_type(ValueType metric) { return metric == ValueType::text ? ValueType::text : ValueType::real; }

bool has(const std::vector<systems::Metric>& stored, const std::string& name, ValueType type) {
  return std::ranges::any_of(stored,
                             [&](const systems::Metric& column) { return column.name == name && column.type == type; });
}

/// True if every metric and every table of `wanted` is stored.
bool fit(const systems::Schema& stored, const systems::Schema& wanted) {
  const auto has_metric = [&](const systems::Metric& metric) {
    return has(stored.metrics, metric.name, stored_type(metric.type));
  };
  const auto has_table = [&](const systems::Table& table) {
    const int found = stored.table_index(table.name);
    return found >= 0 && std::ranges::all_of(table.columns, [&](const systems::Metric& column) {
             return has(stored.tables[static_cast<std::size_t>(found)].columns, column.name, column.type);
           });
  };
  return std::ranges::all_of(wanted.metrics, has_metric) && std::ranges::all_of(wanted.tables, has_table);
}

/// True for a metric of [study.derived].
bool is_derived(const ColumnReader& column) {
  return column.role() == ColumnRole::metric && hdf5::read_text_attribute(column.dataset(), "source") == derived_source;
}

/// The columns of a group that have one role, without derived metrics, which are not the system's.
std::vector<systems::Metric> columns_of(hid_t group, const std::string& path, ColumnRole role) {
  std::vector<systems::Metric> columns;
  for (const std::string& name : hdf5::members(group, H5O_TYPE_DATASET)) {
    const ColumnReader column(group, path, name);
    if (column.role() != role || is_derived(column)) continue;
    columns.push_back({name, column.unit(), "", column.type()});
    columns.back().timeline = column.timeline();
  }
  return columns;
}

/// The ids of the studies of an open file, sorted.
std::vector<std::string> ids_in(hid_t file) {
  std::vector<std::string> ids = hdf5::members(file, H5O_TYPE_GROUP);
  std::erase(ids, "provenance");
  std::ranges::sort(ids);
  return ids;
}

}  // namespace

std::vector<std::string> study_ids(const std::string& results_file) { return ids_in(open_results(results_file).get()); }

systems::Schema stored_schema(const std::string& results_file, const std::string& study) {
  const Hdf5Handle file = open_results(results_file);
  const Hdf5Handle group = hdf5::open_group(file.get(), results_file, study);
  systems::Schema schema;
  schema.name = hdf5::read_text_attribute(group.get(), "system");
  schema.version = static_cast<int>(hdf5::read_integer_attribute(group.get(), "system_version"));
  for (const systems::Metric& column : columns_of(group.get(), results_file, ColumnRole::axis)) {
    systems::Axis& axis = schema.axes.emplace_back();
    axis.name = column.name;
    axis.type = column.type;
    axis.unit = column.unit;
  }
  schema.metrics = columns_of(group.get(), results_file, ColumnRole::metric);
  for (const std::string& name : hdf5::members(group.get(), H5O_TYPE_GROUP)) {
    if (name == long_texts_group || name == bands_group) continue;
    const Hdf5Handle table = hdf5::open_group(group.get(), results_file, name);
    schema.tables.push_back({name, "", columns_of(table.get(), results_file, ColumnRole::detail)});
  }
  return schema;
}

struct StudyReader::Columns {
  /// A detail table; the rows of the next point begin at `next`.
  struct Detail {
    void seek(std::int64_t point_number) { next = lower_bound(point, point_number); }
    void read(std::int64_t point_number, std::vector<Value>& cells);

    std::string path;
    std::string name;
    ColumnReader point;
    std::vector<ColumnReader> columns;
    std::uint64_t next = 0;
  };

  Columns(const std::string& results_file, const std::string& study, const systems::Schema& wanted);
  /// Throws InputError unless the column has this type and length.
  void expect(const ColumnReader& column, ValueType type, std::uint64_t rows) const;

  std::string path;
  systems::Schema schema;
  Hdf5Handle file;
  Hdf5Handle group;
  Hdf5Handle costs;
  ColumnReader status;
  ColumnReader message;
  ColumnReader identity_high;
  ColumnReader identity_low;
  ColumnReader seconds;
  std::vector<ColumnReader> axes;
  std::vector<ColumnReader> metrics;
  std::vector<Detail> details;
  std::uint64_t next_point = 0;
};

void StudyReader::Columns::Detail::read(std::int64_t point_number, std::vector<Value>& cells) {
  for (; next < point.rows() && point.integer(next) == point_number; ++next) {
    for (ColumnReader& column : columns) column.get(next, cells.emplace_back());
  }
  if (next < point.rows() && point.integer(next) < point_number)
    throw InputError(fmt::format("'{}': row {} of the table '{}' is out of order", path, next, name));
}

StudyReader::Columns::Columns(const std::string& results_file, const std::string& study, const systems::Schema& wanted)
    : path(results_file),
      schema(wanted),
      file(open_results(path)),
      group(hdf5::open_group(file.get(), path, study)),
      costs(hdf5::open_group(file.get(), path, "provenance/" + study)),
      status(group.get(), path, "status"),
      message(group.get(), path, "message"),
      identity_high(group.get(), path, "identity_high"),
      identity_low(group.get(), path, "identity_low"),
      seconds(costs.get(), path, "seconds") {
  const std::uint64_t rows = status.rows();
  expect(status, ValueType::integer, rows);
  expect(message, ValueType::text, rows);
  expect(identity_high, ValueType::integer, rows);
  expect(identity_low, ValueType::integer, rows);
  expect(seconds, ValueType::real, rows);
  for (const systems::Axis& axis : schema.axes) {
    axes.emplace_back(group.get(), path, axis.name);
    expect(axes.back(), axis.type, rows);
  }
  for (const systems::Metric& metric : schema.metrics) {
    metrics.emplace_back(group.get(), path, metric.name);
    expect(metrics.back(), stored_type(metric.type), rows);
  }
  for (const systems::Table& table : schema.tables) {
    const Hdf5Handle rows_of = hdf5::open_group(group.get(), path, table.name);
    Detail& detail = details.emplace_back(Detail{path, table.name, ColumnReader(rows_of.get(), path, "point"), {}});
    expect(detail.point, ValueType::integer, detail.point.rows());
    for (const systems::Metric& column : table.columns) {
      detail.columns.emplace_back(rows_of.get(), path, column.name);
      expect(detail.columns.back(), column.type, detail.point.rows());
    }
  }
}

void StudyReader::Columns::expect(const ColumnReader& column, ValueType type, std::uint64_t rows) const {
  if (column.type() != type) {
    throw InputError(fmt::format("'{}': column '{}' is {} instead of {}", path, column.name(), name_of(column.type()),
                                 name_of(type)));
  }
  if (column.rows() != rows) {
    throw InputError(
        fmt::format("'{}': column '{}' has {} rows instead of {}", path, column.name(), column.rows(), rows));
  }
}

StudyReader::StudyReader(const std::string& results_file, const std::string& study, const systems::Schema& schema)
    : columns_(std::make_unique<Columns>(results_file, study, schema)) {}

StudyReader::~StudyReader() = default;

std::uint64_t StudyReader::size() const { return columns_->status.rows(); }

void StudyReader::read(std::uint64_t point, journal::Entry& entry) {
  Columns& columns = *columns_;
  const auto number = static_cast<std::int64_t>(point);
  if (point != columns.next_point) {
    for (auto& detail : columns.details) detail.seek(number);
  }
  columns.next_point = point + 1;
  entry.record.reset(columns.schema);
  const std::int64_t status = columns.status.integer(point);
  if (status < 0 || status > static_cast<std::int64_t>(systems::Status::not_run))
    throw InputError(fmt::format("'{}': point {} has the unknown status {}", columns.path, point, status));
  entry.record.status = static_cast<systems::Status>(status);
  entry.record.message.assign(columns.message.text(point));
  entry.identity = {static_cast<std::uint64_t>(columns.identity_high.integer(point)),
                    static_cast<std::uint64_t>(columns.identity_low.integer(point))};
  entry.seconds = columns.seconds.real(point);
  for (std::size_t i = 0; i < columns.metrics.size(); ++i) columns.metrics[i].get(point, entry.record.metrics[i]);
  for (std::size_t i = 0; i < columns.details.size(); ++i) columns.details[i].read(number, entry.record.tables[i]);
}

void StudyReader::read_axes(std::uint64_t point, std::vector<Value>& axes) {
  axes.resize(columns_->axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) columns_->axes[i].get(point, axes[i]);
}

std::string stored_provenance(const std::string& results_file, const char* name) {
  const Hdf5Handle file = open_results(results_file);
  if (H5Lexists(file.get(), "provenance", H5P_DEFAULT) <= 0) return {};
  return hdf5::read_text_attribute(hdf5::open_group(file.get(), results_file, "provenance").get(), name);
}

std::array<std::uint64_t, 5> stored_status_counts(const std::string& results_file, const std::string& study) {
  const Hdf5Handle file = open_results(results_file);
  const Hdf5Handle group = hdf5::open_group(file.get(), results_file, study);
  ColumnReader status(group.get(), results_file, "status");
  std::array<std::uint64_t, 5> counts{};
  for (std::uint64_t row = 0; row < status.rows(); ++row) {
    const std::int64_t value = status.integer(row);
    if (value < 0 || value >= static_cast<std::int64_t>(counts.size()))
      throw InputError(fmt::format("'{}': point {} has the unknown status {}", results_file, row, value));
    ++counts[static_cast<std::size_t>(value)];
  }
  return counts;
}

void for_each_result(const std::string& results_file,
                     const std::function<const systems::Schema*(std::string_view)>& schema_of,
                     const std::function<void(const journal::Entry&)>& use) {
  for (const std::string& id : study_ids(results_file)) {
    const systems::Schema stored = stored_schema(results_file, id);
    const systems::Schema* schema = schema_of(stored.name);
    if (schema == nullptr || !fit(stored, *schema)) continue;
    systems::Schema read = *schema;
    // The identity of a point stands for its axes.
    read.axes.clear();
    StudyReader reader(results_file, id, read);
    journal::Entry entry;
    for (std::uint64_t point = 0; point < reader.size(); ++point) {
      reader.read(point, entry);
      if (entry.record.status != systems::Status::not_run) use(entry);
    }
  }
}

}  // namespace pimsweep::results
