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
#include "results/hdf5_read.h"
#include "results/hdf5_write.h"
#include "results/seal.h"
#include "results/stored_definitions.h"
#include "results/study_bands.h"
#include "results/study_encoder.h"
#include "results/study_groups.h"
#include "results/version.h"

namespace pimsweep::results {

namespace {

/// The groups of a study in the file.
class StudyWriter {
 public:
  StudyWriter(hid_t file, hid_t provenance, const StudyView& study, const ColumnTarget& target)
      : groups_(study),
        points_(hdf5::create_group(file, study.id()), groups_.points, target),
        seconds_(hdf5::create_group(provenance, study.id()), groups_.seconds, target) {
    const hid_t group = points_.id();
    const systems::Schema& schema = study.schema();
    hdf5::write_attribute(group, "title", study.doc());
    if (study.origin() != study.id()) hdf5::write_attribute(group, origin_attribute, study.origin());
    hdf5::write_attribute(group, "system", schema.name);
    hdf5::write_attribute(group, "system_version", schema.version);
    hdf5::write_attribute(group, "main_metrics", fmt::format("{}", fmt::join(schema.main_metrics, " ")));
    for (const auto& [name, text] : study.attributes()) hdf5::write_attribute(group, name, text);
    for (const GroupInfo& table : groups_.tables)
      tables_.emplace_back(hdf5::create_group(group, table.name), table, target);
    for (const FilledTable& filled : study.tables()) fill(filled, source_of_results(schema), target);
    if (groups_.draw > 0)
      bands_.emplace(group, schema, BandColumns{groups_.draw, groups_.status, groups_.first_metric}, target);
  }

  void place_points(std::string_view body) {
    ByteReader reader(body);
    const EncodedBlock points = read_encoded_block(reader, groups_.points);
    points_.place(points);
    if (bands_) bands_->add(points);
    seconds_.place(read_encoded_block(reader, groups_.seconds));
  }

  void place_table(std::size_t table, std::uint64_t blocks, std::string_view body) {
    ByteReader reader(body);
    for (std::uint64_t i = 0; i < blocks; ++i) tables_[table].place(read_encoded_block(reader, groups_.tables[table]));
  }

  void close(ChunkEncoder& encoder, DataDigest& digest) {
    seconds_.close();
    points_.close();
    points_.add_to(digest);
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      if (!tables_[i].has_rows()) place_nothing(groups_.tables[i], tables_[i], encoder);
      tables_[i].close();
      tables_[i].add_to(digest);
    }
    for (FilledGroup& table : filled_) {
      table.close();
      table.add_to(digest);
    }
    if (bands_) bands_->close(digest);
  }

 private:
  void fill(const FilledTable& filled, const std::string& source, const ColumnTarget& target) {
    FilledGroup& group = filled_.emplace_back(hdf5::create_group(points_.id(), filled.table.name),
                                              table_group(filled.table, source), target);
    for (const FilledTable::Row& row : filled.rows) {
      group[1].push(static_cast<std::int64_t>(row.point));
      for (std::size_t i = 0; i < row.cells.size(); ++i) group[2 + i].push(row.cells[i]);
      group.end_row();
    }
  }

  /// Makes the columns of a table without rows.
  static void place_nothing(const GroupInfo& info, ColumnGroup& table, ChunkEncoder& encoder) {
    GroupCells none(info);
    GroupLayout layout;
    std::string bytes;
    none.encode(layout, encoder, bytes);
    ByteReader reader(bytes);
    table.place(read_encoded_block(reader, info));
  }

  StudyGroups groups_;
  ColumnGroup points_;
  ColumnGroup seconds_;
  std::deque<ColumnGroup> tables_;
  /// Tables that are known as a whole.
  std::deque<FilledGroup> filled_;
  /// Of a study with drawn machines.
  std::optional<StudyBands> bands_;
};

/// Places the blocks of all studies into a file, one study after another.
class FileSink final : public BlockSink {
 public:
  FileSink(hid_t file, hid_t provenance, const std::vector<std::unique_ptr<StudyView>>& studies, DataDigest& digest)
      : file_(file), provenance_(provenance), studies_(studies), digest_(digest), text_dimensions_(file) {}

  void begin(std::size_t study) override {
    writer_.emplace(file_, provenance_, *studies_[study], ColumnTarget{text_dimensions_, encoder_});
  }
  void place_points(std::size_t /*study*/, std::string_view body) override { writer_->place_points(body); }
  void place_table(std::size_t /*study*/, std::size_t table, std::uint64_t blocks, std::string_view body) override {
    writer_->place_table(table, blocks, body);
  }
  void end(std::size_t study) override {
    digest_.add_text(studies_[study]->id());
    writer_->close(encoder_, digest_);
    writer_.reset();
  }

 private:
  hid_t file_;
  hid_t provenance_;
  const std::vector<std::unique_ptr<StudyView>>& studies_;
  DataDigest& digest_;
  TextDimensions text_dimensions_;
  ChunkEncoder encoder_;
  std::optional<StudyWriter> writer_;
};

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

void encode_here(BlockQueue& queue) {
  std::optional<StudyEncoder> encoder;
  std::uint32_t study = 0;
  while (const auto task = queue.next(false)) {
    if (!encoder || task->study != study) encoder.emplace(queue.study(task->study));
    study = task->study;
    EncodedTask done = encoder->encode(*task);
    queue.put(*task, done.head, [&done] { return std::move(done.body); });
  }
}

std::string write_results(const std::string& path, const ResultsInfo& info,
                          const std::vector<std::unique_ptr<StudyView>>& studies, const Provenance& provenance,
                          const EncodeBlocks& encode) {
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
      const Hdf5Handle group = hdf5::create_group(file.get(), "provenance");
      for (const auto& [name, text] : provenance) write_attribute(group.get(), name, text);
      FileSink sink(file.get(), group.get(), studies, digest);
      BlockQueue queue(studies, sink);
      encode(queue);
      if (!queue.is_complete()) throw std::logic_error("a results file was not written to its end");
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

void trust_written(const std::string& path) { hdf5::remember_whole(path); }

}  // namespace pimsweep::results
