#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "commands/commands.h"
#include "driver/output_files.h"
#include "driver/plan_view.h"
#include "driver/summary.h"
#include "results/results_reader.h"

namespace pimsweep::commands {

int status(const std::string& output) {
  const std::string journals = results::journal_folder(output);
  if (driver::OutputFiles::is_locked(journals)) {
    fmt::print("{}: a run is writing it now\n", output);
    return driver::exit_resumable;
  }
  if (!std::filesystem::exists(output)) {
    if (!std::filesystem::exists(journals))
      throw InputError(fmt::format("there is neither '{}' nor journals of it", output));
    fmt::print("{}: not written yet, but its journals exist: --resume continues from them\n", output);
    return driver::exit_resumable;
  }
  driver::StatusCounts counts;
  for (const std::string& study : results::study_ids(output)) {
    const auto stored = results::stored_status_counts(output, study);
    for (std::size_t i = 0; i < stored.size(); ++i) counts.count[i] += stored[i];
  }
  fmt::print("{}: {} points: {} ok, {} infeasible, {} failed, {} crashed, {} not run\n", output, counts.total(),
             counts[systems::Status::ok], counts[systems::Status::infeasible], counts[systems::Status::failed],
             counts[systems::Status::crashed], counts[systems::Status::not_run]);
  return driver::exit_status_of(counts);
}

}  // namespace pimsweep::commands
