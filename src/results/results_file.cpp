#include "results/results_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdio>
#include <deque>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "base/posix_file.h"
#include "results/block_pipe.h"
#include "results/data_digest.h"
#include "results/dimensions.h"
#include "results/group_writer.h"
#include "results/hdf5_read.h"
#include "results/hdf5_write.h"
#include "results/open_results.h"
#include "results/seal.h"
#include "results/stored_definitions.h"
#include "results/study_groups.h"
#include "results/study_rows.h"
#include "results/version.h"

namespace pimsweep::results {

namespace {

/// The groups of a study in the file.
class StudyWriter {
 public:
  StudyWriter(hid_t file, const StudyView& study, const StudyGroups& groups, TextDimensions& text_dimensions) {
    for (const GroupInfo& group : groups.groups) writers_.emplace_back(file, group, text_dimensions);
    const hid_t group = writers_.front().id();
    const systems::Schema& schema = study.schema();
    hdf5::write_attribute(group, "title", study.doc());
    if (study.origin() != study.id()) hdf5::write_attribute(group, origin_attribute, study.origin());
    hdf5::write_attribute(group, "system", schema.name);
    hdf5::write_attribute(group, "system_version", schema.version);
    hdf5::write_attribute(group, "main_metrics", fmt::format("{}", fmt::join(schema.main_metrics, " ")));
    for (const auto& [name, text] : study.attributes()) hdf5::write_attribute(group, name, text);
  }

  void place(std::size_t group, const Block& block) { writers_[group].place(block); }

  void close(DataDigest& digest) {
    for (std::size_t i = 0; i < writers_.size(); ++i) {
      writers_[i].close();
      if (i != StudyGroups::seconds) writers_[i].add_to(digest);
    }
  }

 private:
  std::deque<GroupWriter> writers_;
};

/// Writes the blocks of all studies, one study after another, in the order in which they are filled.
void write_studies(hid_t file, const std::vector<std::unique_ptr<StudyView>>& studies, DataDigest& digest) {
  std::deque<StudyGroups> groups;
  for (const auto& study : studies) groups.emplace_back(*study);
  BlockPipe pipe([&](const BlockPipe::Put& put) {
    for (std::size_t study = 0; study < studies.size(); ++study) {
      fill_blocks(*studies[study], groups[study], [&](std::size_t group, Block&& block) {
        put({group, std::move(block)});
      });
    }
  });
  TextDimensions text_dimensions(file);
  for (std::size_t study = 0; study < studies.size(); ++study) {
    StudyWriter writer(file, *studies[study], groups[study], text_dimensions);
    for (std::size_t open = groups[study].groups.size(); open > 0;) {
      const BlockPipe::Filled filled = pipe.next();
      writer.place(filled.group, filled.block);
      if (filled.block.is_last) --open;
    }
    digest.add_text(studies[study]->id());
    writer.close(digest);
  }
  text_dimensions.close();
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
    for (const auto& [name, text] : info.readings) write_attribute(file.get(), "reading_" + name, text);
    for (const auto& [name, text] : info.models) write_attribute(file.get(), std::string(model_prefix) + name, text);
    for (const auto& [name, text] : info.training)
      write_attribute(file.get(), std::string(training_prefix) + name, text);
    for (const auto& [name, version] : versions()) write_attribute(file.get(), name, version);
    {
      const Hdf5Handle group = hdf5::create_group(file.get(), "provenance");
      for (const auto& [name, text] : provenance) write_attribute(group.get(), name, text);
    }
    write_studies(file.get(), studies, digest);
    write_attribute(file.get(), "digest", digest.value().text());
    hdf5::check(H5Fflush(file.get(), H5F_SCOPE_GLOBAL), "write the file");
  }
  if (Hdf5Handle::failures() != failures_before)
    throw std::runtime_error(fmt::format("HDF5 cannot close the file{}", hdf5::reason_of_system()));
  seal_file(temporary.path());
  sync_file(temporary.path());
  temporary.rename_to(path);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  sync_folder(folder.empty() ? "." : folder);
  return digest.value().text();
}

void trust_written(const std::string& path) { remember_whole(path); }

}  // namespace pimsweep::results
