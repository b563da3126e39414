#include "results/results_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdio>
#include <deque>
#include <filesystem>
#include <stdexcept>

#include "base/posix_file.h"
#include "results/column_group.h"
#include "results/draws.h"
#include "results/hdf5_write.h"
#include "results/seal.h"
#include "results/stored_definitions.h"
#include "results/study_bands.h"
#include "results/version.h"

namespace pimsweep::results {

namespace {

/// A metric that is a number is stored as a real: NaN where it is missing.
ValueType stored_type(const systems::Metric& metric) {
  return metric.type == ValueType::text ? ValueType::text : ValueType::real;
}

ColumnInfo column_info(const systems::Metric& metric, const std::string& source, std::string role, ValueType type) {
  return {.name = metric.name,
          .unit = metric.unit,
          .long_name = metric.doc,
          .source = source,
          .role = std::move(role),
          .type = type,
          .non_negative = type != ValueType::text && metric.range == systems::Range::non_negative,
          .absent = metric.absent,
          .timeline = std::string(word_of(systems::timeline_role_words, metric.timeline))};
}

/// A detail table: its columns over `row`, each row with the number of its point.
class TableWriter {
 public:
  TableWriter(hid_t study, const systems::Table& table, const std::string& source, TextDimensions& text_dimensions)
      : rows_(hdf5::create_group(study, table.name), {"row", "1", "row of the table", "", ""}, text_dimensions),
        point_(rows_.add({"point", "1", "point of the study that the row belongs to", "", "", ValueType::integer})) {
    hdf5::write_attribute(rows_.id(), "long_name", table.doc);
    for (const systems::Metric& column : table.columns)
      columns_.push_back(&rows_.add(column_info(column, source, "detail", column.type)));
  }

  void push(std::uint64_t point, const std::vector<Value>& cells) {
    for (std::size_t cell = 0; cell + columns_.size() <= cells.size(); cell += columns_.size()) {
      point_.push(static_cast<std::int64_t>(point));
      for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i]->push(cells[cell + i]);
      rows_.end_row();
    }
  }

  void close(DataDigest& digest) {
    rows_.close();
    rows_.add_to(digest);
  }

 private:
  ColumnGroup rows_;
  ColumnWriter& point_;
  std::vector<ColumnWriter*> columns_;
};

/// The columns of a study's points and its detail tables.
class StudyWriter {
 public:
  StudyWriter(hid_t file, const StudyView& study, TextDimensions& text_dimensions)
      : points_(hdf5::create_group(file, study.id()), {"point", "1", "number of the point in the study", "", ""},
                text_dimensions) {
    const systems::Schema& schema = study.schema();
    const std::string model = fmt::format("{} version {}", schema.name, schema.version);
    hdf5::write_attribute(points_.id(), "title", study.doc());
    if (study.origin() != study.id()) hdf5::write_attribute(points_.id(), origin_attribute, study.origin());
    hdf5::write_attribute(points_.id(), "system", schema.name);
    hdf5::write_attribute(points_.id(), "system_version", schema.version);
    hdf5::write_attribute(points_.id(), "main_metrics", fmt::format("{}", fmt::join(schema.main_metrics, " ")));
    for (const auto& [name, text] : study.attributes()) hdf5::write_attribute(points_.id(), name, text);
    for (const InputColumn& input : study.inputs()) {
      inputs_.push_back(&points_.add({.name = input.name,
                                      .unit = input.unit,
                                      .long_name = input.long_name,
                                      .source = input.source,
                                      .role = input.role,
                                      .type = input.type,
                                      .constant = input.constant}));
    }
    for (const systems::Metric& metric : schema.metrics)
      metrics_.push_back(&points_.add(column_info(metric, model, "metric", stored_type(metric))));
    status_ = &points_.add({"status", "1", "what became of the point", "", "status", ValueType::boolean,
                            "ok infeasible failed crashed not_run"});
    message_ = &points_.add({"message", "1", "why the point is infeasible or failed", "", "status", ValueType::text});
    identity_high_ = &add_identity("identity_high", "upper");
    identity_low_ = &add_identity("identity_low", "lower");
    for (const systems::Table& table : schema.tables) tables_.emplace_back(points_.id(), table, model, text_dimensions);
    for (const FilledTable& filled : study.tables()) {
      TableWriter& table = filled_.emplace_back(points_.id(), filled.table, model, text_dimensions);
      for (const FilledTable::Row& row : filled.rows) table.push(row.point, row.cells);
    }
    for (std::size_t i = 0; i < study.inputs().size(); ++i) {
      const InputColumn& input = study.inputs()[i];
      if (input.name != draw_column || input.role != "axis" || input.constant) continue;
      draw_ = i;
      bands_.emplace(points_.id(), schema, text_dimensions);
    }
  }

  void push(std::uint64_t point, const StudyView::Row& row) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (!inputs_[i]->constant()) inputs_[i]->push(*row.inputs[i]);
    }
    for (std::size_t i = 0; i < metrics_.size(); ++i) metrics_[i]->push(row.record.metrics[i]);
    status_->push(static_cast<std::int8_t>(row.record.status));
    message_->push(std::string_view(row.record.message));
    identity_high_->push(static_cast<std::int64_t>(row.identity.high));
    identity_low_->push(static_cast<std::int64_t>(row.identity.low));
    for (std::size_t i = 0; i < tables_.size(); ++i) tables_[i].push(point, row.record.tables[i]);
    if (bands_) bands_->push(point, std::get<std::int64_t>(*row.inputs[draw_]), row.record);
    points_.end_row();
  }

  void close(DataDigest& digest) {
    points_.close();
    points_.add_to(digest);
    for (TableWriter& table : tables_) table.close(digest);
    for (TableWriter& table : filled_) table.close(digest);
    if (bands_) bands_->close(digest);
  }

 private:
  ColumnWriter& add_identity(const char* name, const char* half) {
    return points_.add({.name = name,
                        .unit = "1",
                        .long_name = fmt::format("{} half of the point's content hash", half),
                        .source = "",
                        .role = "identity",
                        .type = ValueType::integer,
                        .random = true});
  }

  ColumnGroup points_;
  std::vector<ColumnWriter*> inputs_;
  std::vector<ColumnWriter*> metrics_;
  ColumnWriter* status_ = nullptr;
  ColumnWriter* message_ = nullptr;
  ColumnWriter* identity_high_ = nullptr;
  ColumnWriter* identity_low_ = nullptr;
  std::deque<TableWriter> tables_;
  /// Tables that are known as a whole.
  std::deque<TableWriter> filled_;
  /// Of a study with drawn machines, and the input that is the number of the machine.
  std::optional<StudyBands> bands_;
  std::size_t draw_ = 0;
};

void write_study(hid_t file, hid_t provenance, StudyView& study, TextDimensions& text_dimensions, DataDigest& digest) {
  StudyWriter points(file, study, text_dimensions);
  ColumnGroup costs(hdf5::create_group(provenance, study.id()),
                    {"point", "1", "number of the point in the study", "", ""}, text_dimensions);
  ColumnWriter& seconds = costs.add({"seconds", "s", "time that the point's evaluation took", "", "", ValueType::real});
  StudyView::Row row;
  for (std::uint64_t index = 0; index < study.size(); ++index) {
    study.row(index, row);
    points.push(index, row);
    seconds.push(row.seconds);
    costs.end_row();
  }
  costs.close();
  digest.add_text(study.id());
  points.close(digest);
}

/// Removes the temporary file unless it was kept.
class TemporaryFile {
 public:
  /// Creates the file, so that HDF5 opens no other that someone has placed there.
  explicit TemporaryFile(std::string path) : path_(std::move(path)) { PosixFile::create(path_); }
  ~TemporaryFile() {
    if (!kept_) std::remove(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }
  void rename_to(const std::string& target) {
    std::filesystem::rename(path_, target);
    kept_ = true;
  }

 private:
  std::string path_;
  bool kept_ = false;
};

}  // namespace

bool is_reserved_in_results(std::string_view name) { return name == "provenance" || TextDimensions::is_name(name); }

std::string write_results(const std::string& path, const ResultsInfo& info,
                          const std::vector<std::unique_ptr<StudyView>>& studies, const Provenance& provenance) {
  prepare_hdf5();
  using hdf5::write_attribute;
  TemporaryFile temporary(fmt::format("{}.{}.tmp", path, ::getpid()));
  const std::uint64_t failures_before = Hdf5Handle::failures();
  DataDigest digest;
  digest.add_text(info.experiment_text);
  {
    Hdf5Handle file = hdf5::create_file(temporary.path());
    write_attribute(file.get(), "format", "pimsweep results");
    write_attribute(file.get(), "format_version", results_format_version);
    write_attribute(file.get(), "experiment", info.experiment);
    write_attribute(file.get(), "experiment_text", info.experiment_text);
    for (const auto& [name, text] : info.hardware) write_attribute(file.get(), "hardware_" + name, text);
    for (const auto& [name, text] : info.networks) write_attribute(file.get(), "network_" + name, text);
    for (const auto& [name, text] : info.models) write_attribute(file.get(), std::string(model_prefix) + name, text);
    for (const auto& [name, text] : info.training)
      write_attribute(file.get(), std::string(training_prefix) + name, text);
    for (const auto& [name, version] : versions()) write_attribute(file.get(), name, version);
    {
      TextDimensions text_dimensions(file.get());
      const Hdf5Handle group = hdf5::create_group(file.get(), "provenance");
      for (const auto& [name, text] : provenance) write_attribute(group.get(), name, text);
      for (const auto& study : studies) write_study(file.get(), group.get(), *study, text_dimensions, digest);
    }
    write_attribute(file.get(), "digest", digest.value().text());
    hdf5::check(H5Fflush(file.get(), H5F_SCOPE_GLOBAL), "write the file (is the disk full?)");
  }
  if (Hdf5Handle::failures() != failures_before)
    throw std::runtime_error(fmt::format("cannot write '{}' (is the disk full?)", temporary.path()));
  seal_file(temporary.path());
  sync_file(temporary.path());
  temporary.rename_to(path);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  sync_folder(folder.empty() ? "." : folder);
  return digest.value().text();
}

}  // namespace pimsweep::results
