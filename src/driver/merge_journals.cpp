#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>

#include "base/error.h"
#include "base/message.h"
#include "base/output_file.h"
#include "base/plural.h"
#include "driver/driver.h"
#include "driver/merge.h"
#include "driver/output_files.h"
#include "driver/own_files.h"
#include "driver/reuse.h"
#include "driver/run.h"
#include "driver/summary.h"
#include "journal/index.h"
#include "journal/reader.h"
#include "journal/writer.h"

namespace pimsweep::driver {

namespace {

/// Header of the merged experiment: the newest journal's, with the studies of all journals that name the same
/// experiment file.
journal::Header common_header(const std::vector<std::string>& paths) {
  std::vector<journal::Header> headers;
  for (const std::string& path : paths) {
    try {
      headers.push_back(journal::Reader(path).header());
    } catch (const InputError&) {
      // Reported when the journals are read.
    }
  }
  std::erase_if(headers, [](const journal::Header& header) { return header.experiment_file.empty(); });
  if (headers.empty()) return {};
  journal::Header common = *std::max_element(headers.begin(), headers.end(),
                                             [](const auto& a, const auto& b) { return a.started < b.started; });
  std::set<std::string> studies;
  for (const journal::Header& header : headers) {
    if (header.experiment_file != common.experiment_file) continue;
    // No study named means all studies.
    if (header.studies.empty()) common.studies.clear();
    studies.insert(header.studies.begin(), header.studies.end());
  }
  if (!common.studies.empty()) common.studies.assign(studies.begin(), studies.end());
  return common;
}

/// Removes a file at the end of the scope.
struct ScopedFile {
  std::string path;
  ~ScopedFile() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
};

sweep::PlanOptions plan_options(const journal::Header& header, const ConfigFolders& configs) {
  sweep::PlanOptions options{configs, header.studies, header.overrides};
  options.where = header.where;
  if (header.draws == 0) return options;
  const auto method = value_of(sweep::draw_method_words, header.draw_method);
  if (!method)
    throw InputError(
        fmt::format("the journals were drawn by '{}', which this version does not know", header.draw_method));
  options.draws = header.draws;
  options.draw_method = *method;
  options.draw_constants = header.draw_constants;
  return options;
}

int merge_sources(const std::vector<std::string>& sources, const std::string& output, bool is_quiet,
                  const ConfigFolders& configs) {
  std::vector<std::string> paths;
  for (const std::string& source : sources) {
    const std::vector<std::string> files = journal::files_in(source);
    paths.insert(paths.end(), files.begin(), files.end());
  }
  const journal::Header header = common_header(paths);
  if (header.experiment_file.empty()) throw InputError(fmt::format("no journal in {}", fmt::join(sources, ", ")));
  const sweep::Plan plan = sweep::load_plan(header.experiment_file, plan_options(header, configs));
  check_names(plan);
  Evaluator evaluator(plan);

  journal::Index journals(plan.hash());
  for (const std::string& path : paths) journals.add(path);
  for (const std::string& warning : journals.warnings()) print_warning("{}", warning);

  // The searches choose the same points again, as far as their results are there.
  Searches searches(plan, evaluator);
  for (const std::string& path : readable_journals(paths)) {
    if (!searches.empty()) results_of_journal(path)([&](const auto& entry) { searches.know(entry); });
  }
  searches.run([](const std::vector<Range>&) {});

  // Results in journals of another plan (of a single study, or of an older version of the file) are found by content
  // hash.
  const ScopedFile found{temporary_path(output + ".merge")};
  if (!journals.foreign().empty()) {
    if (plan.hash() != header.plan && header.studies.size() < 2 && header.shard.empty()) {
      print_warning("'{}' has changed since the run began: only results of its present points are merged",
                    header.experiment_file);
    }
    std::vector<ResultSource> others;
    for (const std::string& path : journals.foreign()) others.push_back(results_of_journal(path));
    PointSet done(plan.size());
    journal::Writer writer(found.path, journal_header(plan, "", 0));
    find_reusable(
        others, evaluator, done, [](systems::Status) { return true; },
        [&](const journal::Entry& entry) { writer.append(entry, journal::Writer::Clock::now()); });
    writer.close();
    journals.add(found.path);
  }
  MergeResult result;
  try {
    result =
        merge(plan, evaluator, journals, output,
              {{"finished", utc_text(std::time(nullptr))}, {"merged_from", fmt::format("{}", fmt::join(sources, " "))}},
              &searches);
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw OutputError(fmt::format("cannot write '{}': {}", output, error.what()));
  }
  print_failures(plan, result, output);
  if (!is_quiet) print_result(plan, result, fmt::format("merged from {}", count_of(paths.size(), "journal")), output);
  return exit_status_of(result.counts);
}

}  // namespace

int merge_journals(const std::vector<std::string>& sources, const std::string& output, bool force, bool is_quiet,
                   const ConfigFolders& configs) {
  require_replaceable(output);
  if (!force && std::filesystem::exists(output))
    throw InputError(fmt::format("'{}' exists: --force replaces it by the merged results", output));
  OutputFiles files(output, Existing::keep);
  files.keep_alive();
  try {
    const int status = merge_sources(sources, output, is_quiet, configs);
    files.abandon();
    return status;
  } catch (...) {
    files.abandon();
    throw;
  }
}

}  // namespace pimsweep::driver
