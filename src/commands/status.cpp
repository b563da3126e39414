#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "commands/commands.h"
#include "driver/output_files.h"
#include "driver/plan_view.h"
#include "results/results_reader.h"

namespace pimsweep::commands {

int status(const std::string& output) {
  const std::string journals = journal_folder(output);
  if (OutputFiles::is_held(journals)) {
    fmt::print("{}: a run is writing it now\n", output);
    return exit_resumable;
  }
  if (!std::filesystem::exists(output)) {
    if (!std::filesystem::exists(journals))
      throw InputError(fmt::format("there is no '{}', nor journals of it", output));
    fmt::print("{}: not written yet; its journals are there: --resume goes on from them\n", output);
    return exit_resumable;
  }
  StatusCounts counts;
  for (const std::string& study : study_ids(output)) {
    const auto stored = stored_status_counts(output, study);
    for (std::size_t i = 0; i < stored.size(); ++i) counts.count[i] += stored[i];
  }
  fmt::print("{}: {} points: {} ok, {} infeasible, {} failed, {} crashed, {} not run\n", output, counts.total(),
             counts[Status::ok], counts[Status::infeasible], counts[Status::failed], counts[Status::crashed],
             counts[Status::not_run]);
  if (counts[Status::not_run] > 0) return exit_resumable;
  return counts[Status::failed] + counts[Status::crashed] > 0 ? exit_some_failed : exit_all_done;
}

}  // namespace pimsweep::commands
