#include "driver/cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/posix_file.h"
#include "results/journal_writer.h"

namespace pimsweep::driver {

namespace fs = std::filesystem;

namespace {

std::string drawer(const systems::Schema& schema) { return fmt::format("{}-v{}", schema.name, schema.version); }

}  // namespace

Cache::Cache(std::string folder) : folder_(std::move(folder)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error || ::access(folder_.c_str(), R_OK | W_OK | X_OK) != 0) {
    throw InputError(fmt::format("cannot use the cache '{}': {}", folder_,
                                 error ? error.message() : std::generic_category().message(errno)));
  }
}

std::vector<ResultSource> Cache::sources(const sweep::Plan& plan) const {
  std::set<std::string> drawers;
  for (const sweep::Study& study : plan.studies) drawers.insert(drawer(study.schema()));
  std::vector<ResultSource> sources;
  for (const std::string& name : drawers) {
    for (const std::string& path : results::journal_files((fs::path(folder_) / name).string()))
      sources.push_back(results_of_journal(path));
  }
  return sources;
}

void Cache::add(const sweep::Plan& plan, const std::vector<std::string>& journals, const std::string& run) const {
  struct Drawer {
    fs::path temporary;
    fs::path path;
    std::unique_ptr<results::JournalWriter> writer;
  };
  std::map<std::string, Drawer> drawers;
  const auto now = results::JournalWriter::Clock::now();
  for (const std::string& journal : journals) {
    results_of_journal(journal)([&](const results::JournalEntry& entry) {
      if (!results::is_result(entry.record.status) || entry.index >= plan.size()) return;
      const std::string name = drawer(plan.studies[plan.locate(entry.index).study].schema());
      Drawer& into = drawers[name];
      if (!into.writer) {
        into.path = fs::path(folder_) / name / (run + ".journal");
        into.temporary = into.path.string() + ".tmp";
        fs::create_directories(into.path.parent_path());
        into.writer = std::make_unique<results::JournalWriter>(into.temporary.string(), results::JournalHeader{});
      }
      into.writer->append(entry, now);
    });
  }
  for (auto& [name, into] : drawers) {
    into.writer->close();
    fs::rename(into.temporary, into.path);
    sync_folder(into.path.parent_path().string());
  }
}

}  // namespace pimsweep::driver
