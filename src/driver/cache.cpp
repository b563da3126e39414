#include "driver/cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/output_file.h"
#include "base/posix_file.h"
#include "driver/own_files.h"
#include "journal/writer.h"

namespace pimsweep::driver {

namespace fs = std::filesystem;

namespace {

std::string system_folder(const systems::Schema& schema) { return fmt::format("{}-v{}", schema.name, schema.version); }

}  // namespace

Cache::Cache(std::string folder) : folder_(std::move(folder)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error || ::access(folder_.c_str(), R_OK | W_OK | X_OK) != 0) {
    const int code = error ? error.value() : errno;
    throw_unwritable(code,
                     fmt::format("cannot use the cache '{}': {}", folder_, std::generic_category().message(code)));
  }
}

std::vector<ResultSource> Cache::sources(const sweep::Plan& plan) const {
  std::vector<ResultSource> sources;
  for (const std::string& folder : folders_of(plan)) {
    for (const std::string& path : journal::files_in(folder)) sources.push_back(results_of_journal(path));
  }
  return sources;
}

std::set<std::string> Cache::folders_of(const sweep::Plan& plan) const {
  std::set<std::string> folders;
  for (const sweep::Study& study : plan.studies)
    folders.insert((fs::path(folder_) / system_folder(study.schema())).string());
  return folders;
}

void Cache::add(const sweep::Plan& plan, const std::vector<std::string>& journals, const std::string& run) const {
  struct CacheFile {
    fs::path temporary;
    fs::path path;
    std::unique_ptr<journal::Writer> writer;
  };
  for (const std::string& folder : folders_of(plan)) clear_temporary_journals(folder);
  std::map<std::string, CacheFile> files;
  const auto now = journal::Writer::Clock::now();
  for (const std::string& journal : journals) {
    results_of_journal(journal)([&](const journal::Entry& entry) {
      if (!journal::is_result(entry.record.status) || entry.index >= plan.size()) return;
      const std::string name = system_folder(plan.studies[plan.locate(entry.index).study].schema());
      CacheFile& file = files[name];
      if (!file.writer) {
        file.path = fs::path(folder_) / name / (run + ".journal");
        file.temporary = temporary_path(file.path.string());
        fs::create_directories(file.path.parent_path());
        file.writer = std::make_unique<journal::Writer>(file.temporary.string(), journal::Header{});
      }
      file.writer->append(entry, now);
    });
  }
  for (auto& [name, file] : files) {
    file.writer->close();
    fs::rename(file.temporary, file.path);
    sync_folder(file.path.parent_path().string());
  }
}

}  // namespace pimsweep::driver
