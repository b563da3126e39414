#include "results/results_file.h"

#include <fmt/format.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include "base/posix_file.h"
#include "results/hdf5_handle.h"
#include "results/version.h"

namespace pimsweep {

namespace {

constexpr hsize_t block_rows = 4096;
constexpr hsize_t number_chunk_rows = 16384;
/// Texts are stored as references, uncompressed: a chunk's whole size is paid even for one row.
constexpr hsize_t text_chunk_rows = 1024;

hid_t checked(hid_t id, const char* doing) {
  if (id < 0) throw std::runtime_error(fmt::format("HDF5 cannot {}", doing));
  return id;
}

void check(herr_t result, const char* doing) {
  if (result < 0) throw std::runtime_error(fmt::format("HDF5 cannot {}", doing));
}

Hdf5Handle text_type() {
  Hdf5Handle type(checked(H5Tcopy(H5T_C_S1), "make a string type"), H5Tclose);
  check(H5Tset_size(type.get(), H5T_VARIABLE), "make a string type");
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "make a string type");
  return type;
}

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
  const Hdf5Handle type = text_type();
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute(
      checked(H5Acreate2(object, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
              "create an attribute"),
      H5Aclose);
  const char* pointer = text.c_str();
  check(H5Awrite(attribute.get(), type.get(), &pointer), "write an attribute");
}

void write_attribute(hid_t object, const std::string& name, std::int64_t number) {
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute(
      checked(H5Acreate2(object, name.c_str(), H5T_STD_I64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT),
              "create an attribute"),
      H5Aclose);
  check(H5Awrite(attribute.get(), H5T_NATIVE_INT64, &number), "write an attribute");
}

/// CF's way to name the values of a small integer.
void write_flags(hid_t dataset, const std::vector<std::int8_t>& values, const std::string& meanings) {
  const hsize_t count = values.size();
  const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Hdf5Handle attribute(
      checked(H5Acreate2(dataset, "flag_values", H5T_STD_I8LE, space.get(), H5P_DEFAULT, H5P_DEFAULT),
              "create an attribute"),
      H5Aclose);
  check(H5Awrite(attribute.get(), H5T_NATIVE_INT8, values.data()), "write an attribute");
  write_attribute(dataset, "flag_meanings", meanings);
}

/// The running digest of the data part: names, then values, in the order written.
class Digest {
 public:
  void add(std::string_view bytes) {
    chain_.assign(reinterpret_cast<const char*>(&state_), sizeof state_);
    chain_ += bytes;
    state_ = hash128(chain_);
  }
  template <typename Number>
  void add(const std::vector<Number>& numbers) {
    add({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)});
  }
  std::string text() const { return state_.text(); }

 private:
  Hash128 state_;
  std::string chain_;
};

/// What a column says about itself.
struct ColumnInfo {
  std::string name;
  std::string unit;
  std::string long_name;
  std::string source;
  std::string role;
  ValueType type = ValueType::real;
};

/// A metric that is no text is stored as a real, for it may be missing.
ValueType stored_type(const Metric& metric) {
  return metric.type == ValueType::text ? ValueType::text : ValueType::real;
}

/// A one-dimensional dataset that is filled block by block.
class ColumnWriter {
 public:
  /// `scale` is the dimension's own dataset, or an invalid identifier for that dataset itself.
  ColumnWriter(hid_t group, const ColumnInfo& info, hid_t scale, Digest* digest) : info_(info), digest_(digest) {
    const hsize_t none = 0;
    const hsize_t unlimited = H5S_UNLIMITED;
    const Hdf5Handle space(checked(H5Screate_simple(1, &none, &unlimited), "make a dataspace"), H5Sclose);
    const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const hsize_t chunk_rows = info.type == ValueType::text ? text_chunk_rows : number_chunk_rows;
    check(H5Pset_chunk(properties.get(), 1, &chunk_rows), "set the chunk size");
    check(H5Pset_obj_track_times(properties.get(), false), "leave out object times");
    check(H5Pset_attr_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
          "track attributes");
    if (info.type != ValueType::text) {
      check(H5Pset_shuffle(properties.get()), "set the shuffle filter");
      check(H5Pset_deflate(properties.get(), 4), "set compression");
      check(H5Pset_fletcher32(properties.get()), "set checksums");
    }
    const Hdf5Handle type = file_type();
    dataset_ = Hdf5Handle(checked(H5Dcreate2(group, info.name.c_str(), type.get(), space.get(), H5P_DEFAULT,
                                             properties.get(), H5P_DEFAULT),
                                  "create a dataset"),
                          H5Dclose);
    if (scale >= 0)
      check(H5DSattach_scale(dataset_.get(), scale, 0), "attach a dimension scale");
    else
      check(H5DSset_scale(dataset_.get(), info.name.c_str()), "make a dimension scale");
    if (!info.unit.empty()) write_attribute(dataset_.get(), "units", info.unit);
    if (!info.long_name.empty()) write_attribute(dataset_.get(), "long_name", info.long_name);
    if (!info.source.empty()) write_attribute(dataset_.get(), "source", info.source);
    if (!info.role.empty()) write_attribute(dataset_.get(), "role", info.role);
    if (info.type == ValueType::boolean) write_flags(dataset_.get(), {0, 1}, "false true");
    if (digest_ != nullptr) digest_->add(info.name + '\n' + info.unit + '\n' + info.long_name + '\n' + info.source);
  }

  hid_t id() const { return dataset_.get(); }

  void push(const Value& value) {
    switch (info_.type) {
      case ValueType::integer:
        integers_.push_back(std::get<std::int64_t>(value));
        break;
      case ValueType::real:
        reals_.push_back(to_real(value));
        break;
      case ValueType::boolean:
        bytes_.push_back(std::get<bool>(value) ? 1 : 0);
        break;
      case ValueType::text:
        texts_.push_back(std::get<std::string>(value));
        break;
    }
  }
  void push_byte(std::int8_t byte) { bytes_.push_back(byte); }

  /// Writes what was pushed since the last call.
  void write_block() {
    const hsize_t rows = reals_.size() + integers_.size() + bytes_.size() + texts_.size();
    if (rows == 0) return;
    const hsize_t start = rows_;
    rows_ += rows;
    check(H5Dset_extent(dataset_.get(), &rows_), "extend a dataset");
    const Hdf5Handle memory(H5Screate_simple(1, &rows, nullptr), H5Sclose);
    const Hdf5Handle file(H5Dget_space(dataset_.get()), H5Sclose);
    check(H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, &start, nullptr, &rows, nullptr), "select rows");
    const auto write = [&](hid_t type, const void* data) {
      check(H5Dwrite(dataset_.get(), type, memory.get(), file.get(), H5P_DEFAULT, data),
            "write a dataset (is the disk full?)");
    };
    if (!reals_.empty()) write(H5T_NATIVE_DOUBLE, reals_.data());
    if (!integers_.empty()) write(H5T_NATIVE_INT64, integers_.data());
    if (!bytes_.empty()) write(H5T_NATIVE_INT8, bytes_.data());
    if (!texts_.empty()) {
      std::vector<const char*> pointers;
      for (const std::string& text : texts_) pointers.push_back(text.c_str());
      const Hdf5Handle type = text_type();
      write(type.get(), pointers.data());
    }
    if (digest_ != nullptr) add_to_digest();
    reals_.clear();
    integers_.clear();
    bytes_.clear();
    texts_.clear();
  }

 private:
  Hdf5Handle file_type() const {
    switch (info_.type) {
      case ValueType::integer:
        return {H5Tcopy(H5T_STD_I64LE), H5Tclose};
      case ValueType::real:
        return {H5Tcopy(H5T_IEEE_F64LE), H5Tclose};
      case ValueType::boolean:
        return {H5Tcopy(H5T_STD_I8LE), H5Tclose};
      case ValueType::text:
        break;
    }
    return text_type();
  }

  void add_to_digest() {
    digest_->add(reals_);
    digest_->add(integers_);
    digest_->add(bytes_);
    for (const std::string& text : texts_) digest_->add(text);
  }

  ColumnInfo info_;
  Digest* digest_;
  Hdf5Handle dataset_;
  hsize_t rows_ = 0;
  std::vector<double> reals_;
  std::vector<std::int64_t> integers_;
  std::vector<std::int8_t> bytes_;
  std::vector<std::string> texts_;
};

Hdf5Handle create_group(hid_t parent, const std::string& name) {
  const Hdf5Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  check(H5Pset_link_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), "track links");
  check(H5Pset_attr_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
        "track attributes");
  check(H5Pset_obj_track_times(properties.get(), false), "leave out object times");
  return {checked(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), "create a group"),
          H5Gclose};
}

/// A detail table: its columns over `row`, each row with the number of its point.
class TableWriter {
 public:
  TableWriter(hid_t study, const Table& table, const std::string& source, Digest& digest)
      : group_(create_group(study, table.name)),
        row_(group_.get(), {"row", "1", "row of the table", "", "", ValueType::integer}, -1, &digest),
        point_(group_.get(), {"point", "1", "point of the study that the row belongs to", "", "", ValueType::integer},
               row_.id(), &digest) {
    write_attribute(group_.get(), "long_name", table.doc);
    for (const Metric& column : table.columns) {
      columns_.emplace_back(group_.get(),
                            ColumnInfo{column.name, column.unit, column.doc, source, "detail", column.type}, row_.id(),
                            &digest);
    }
  }

  void push(std::uint64_t point, const std::vector<Value>& cells) {
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      if (cell % columns_.size() == 0) {
        row_.push(rows_++);
        point_.push(static_cast<std::int64_t>(point));
      }
      columns_[cell % columns_.size()].push(cells[cell]);
    }
  }

  void write_block() {
    row_.write_block();
    point_.write_block();
    for (ColumnWriter& column : columns_) column.write_block();
  }

 private:
  Hdf5Handle group_;
  ColumnWriter row_;
  ColumnWriter point_;
  std::vector<ColumnWriter> columns_;
  std::int64_t rows_ = 0;
};

void write_study(hid_t file, hid_t provenance, StudyView& study, Digest& digest) {
  const Schema& schema = study.schema();
  const std::string model = fmt::format("{} version {}", schema.name, schema.version);
  digest.add(study.id());
  const Hdf5Handle group = create_group(file, study.id());
  write_attribute(group.get(), "title", study.doc());
  write_attribute(group.get(), "system", schema.name);
  write_attribute(group.get(), "system_version", schema.version);

  ColumnWriter point(group.get(), {"point", "1", "number of the point in the study", "", "", ValueType::integer}, -1,
                     &digest);
  std::vector<ColumnWriter> columns;
  for (const InputColumn& input : study.inputs()) {
    columns.emplace_back(group.get(),
                         ColumnInfo{input.name, input.unit, input.long_name, input.source, input.role, input.type},
                         point.id(), &digest);
  }
  for (const Metric& metric : schema.metrics) {
    columns.emplace_back(group.get(),
                         ColumnInfo{metric.name, metric.unit, metric.doc, model, "metric", stored_type(metric)},
                         point.id(), &digest);
  }
  ColumnWriter status(group.get(), {"status", "1", "what became of the point", "", "status", ValueType::boolean},
                      point.id(), &digest);
  check(H5Adelete(status.id(), "flag_values"), "name the states");
  check(H5Adelete(status.id(), "flag_meanings"), "name the states");
  write_flags(status.id(), {0, 1, 2, 3, 4}, "ok infeasible failed crashed not_run");
  ColumnWriter message(group.get(),
                       {"message", "1", "why the point is infeasible or failed", "", "status", ValueType::text},
                       point.id(), &digest);
  ColumnWriter high(
      group.get(), {"identity_high", "1", "upper half of the point's content hash", "", "identity", ValueType::integer},
      point.id(), &digest);
  ColumnWriter low(group.get(),
                   {"identity_low", "1", "lower half of the point's content hash", "", "identity", ValueType::integer},
                   point.id(), &digest);
  std::vector<TableWriter> tables;
  for (const Table& table : schema.tables) tables.emplace_back(group.get(), table, model, digest);

  const Hdf5Handle cost_group = create_group(provenance, study.id());
  ColumnWriter cost_point(cost_group.get(),
                          {"point", "1", "number of the point in the study", "", "", ValueType::integer}, -1, nullptr);
  ColumnWriter seconds(cost_group.get(),
                       {"seconds", "s", "time that the point's evaluation took", "", "", ValueType::real},
                       cost_point.id(), nullptr);

  const auto write_blocks = [&] {
    for (ColumnWriter* column : {&point, &status, &message, &high, &low, &cost_point, &seconds}) column->write_block();
    for (ColumnWriter& column : columns) column.write_block();
    for (TableWriter& table : tables) table.write_block();
  };
  StudyView::Row row;
  for (std::uint64_t index = 0; index < study.size(); ++index) {
    study.row(index, row);
    point.push(static_cast<std::int64_t>(index));
    for (std::size_t i = 0; i < row.inputs.size(); ++i) columns[i].push(*row.inputs[i]);
    for (std::size_t i = 0; i < schema.metrics.size(); ++i) columns[row.inputs.size() + i].push(row.record.metrics[i]);
    status.push_byte(static_cast<std::int8_t>(row.record.status));
    message.push(row.record.message);
    high.push(static_cast<std::int64_t>(row.identity.high));
    low.push(static_cast<std::int64_t>(row.identity.low));
    for (std::size_t i = 0; i < tables.size(); ++i) tables[i].push(index, row.record.tables[i]);
    cost_point.push(static_cast<std::int64_t>(index));
    seconds.push(row.seconds);
    if ((index + 1) % block_rows == 0) write_blocks();
  }
  write_blocks();
}

Hdf5Handle create_file(const std::string& path) {
  const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  // netCDF needs both orders tracked to open a file for appending.
  check(H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), "track links");
  check(H5Pset_attr_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), "track attributes");
  check(H5Pset_obj_track_times(creation.get(), false), "leave out object times");
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), H5P_DEFAULT);
  if (file < 0) throw std::runtime_error(fmt::format("cannot create '{}'", path));
  return {file, H5Fclose};
}

/// Removes the temporary file unless it was kept.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string path) : path_(std::move(path)) {}
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

std::string write_results(const std::string& path, const ResultsInfo& info,
                          const std::vector<std::unique_ptr<StudyView>>& studies, const Provenance& provenance) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  TemporaryFile temporary(fmt::format("{}.{}.tmp", path, ::getpid()));
  Digest digest;
  digest.add(info.experiment_text);
  {
    Hdf5Handle file = create_file(temporary.path());
    write_attribute(file.get(), "format", "pimsweep results");
    write_attribute(file.get(), "format_version", 1);
    write_attribute(file.get(), "experiment", info.experiment);
    write_attribute(file.get(), "experiment_text", info.experiment_text);
    for (const auto& [name, text] : info.hardware) write_attribute(file.get(), "hardware_" + name, text);
    for (const auto& [name, version] : versions()) write_attribute(file.get(), name, version);
    {
      const Hdf5Handle group = create_group(file.get(), "provenance");
      for (const auto& [name, text] : provenance) write_attribute(group.get(), name, text);
      for (const auto& study : studies) write_study(file.get(), group.get(), *study, digest);
    }
    write_attribute(file.get(), "digest", digest.text());
    check(H5Fflush(file.get(), H5F_SCOPE_GLOBAL), "write the file (is the disk full?)");
  }
  sync_file(temporary.path());
  temporary.rename_to(path);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  sync_folder(folder.empty() ? "." : folder);
  return digest.text();
}

}  // namespace pimsweep
