#include "driver/run_state.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "driver/output_files.h"
#include "driver/point_set.h"
#include "journal/reader.h"

namespace pimsweep::driver {

namespace {

/// Larger than any plan; keeps a damaged header from filling the memory.
constexpr std::uint64_t max_points = 100'000'000'000;

/// The launch that wrote a journal: its name without the rank.
std::string launch_of(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  return name.substr(0, name.rfind('-'));
}

struct Launch {
  std::string name;
  journal::Header header;
};

Launch newest_launch(const std::vector<std::string>& paths) {
  std::optional<Launch> newest;
  for (const std::string& path : paths) {
    try {
      const journal::Header header = journal::Reader(path).header();
      if (header.plan_studies.empty() || (newest && header.started <= newest->header.started)) continue;
      newest = Launch{launch_of(path), header};
    } catch (const InputError&) {
      // A journal that is being created has no header yet.
    }
  }
  if (!newest) throw InputError("the journals do not say which points the run has");
  return *newest;
}

double last_writing(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? static_cast<double>(status.st_mtim.tv_sec) : 0;
}

/// Adds the points of one journal of the plan.
class StateReader {
 public:
  StateReader(RunState& state, std::uint64_t points) : state_(state), seen_(points) {
    for (const RunState::StudyState& study : state.studies) {
      ends_.push_back((ends_.empty() ? 0 : ends_.back()) + study.points());
    }
  }

  /// Returns the number of points that were new.
  std::uint64_t add(journal::Reader& journal) {
    std::uint64_t added = 0;
    journal::Entry entry;
    for (journal::Reader::Frame frame; journal.next(frame);) {
      if (frame.kind != journal::FrameKind::results) continue;
      journal::EntryReader entries(frame.payload);
      while (entries.next(entry)) {
        if (entry.index < seen_.size() && seen_.insert(entry.index)) added += add(entry);
      }
    }
    return added;
  }

 private:
  std::uint64_t add(const journal::Entry& entry) {
    const auto study = std::upper_bound(ends_.begin(), ends_.end(), entry.index) - ends_.begin();
    StatusCounts& counts = state_.studies[static_cast<std::size_t>(study)].counts;
    ++counts[entry.record.status];
    --counts[systems::Status::not_run];
    return 1;
  }

  RunState& state_;
  PointSet seen_;
  /// Number of the first point after each study.
  std::vector<std::uint64_t> ends_;
};

}  // namespace

std::uint64_t RunState::StudyState::done() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < counts.count.size(); ++i) {
    if (journal::is_result(static_cast<systems::Status>(i))) sum += counts.count[i];
  }
  return sum;
}

StatusCounts RunState::counts() const {
  StatusCounts sum;
  for (const StudyState& study : studies) {
    for (std::size_t i = 0; i < sum.count.size(); ++i) sum.count[i] += study.counts.count[i];
  }
  return sum;
}

std::uint64_t RunState::done() const {
  return std::accumulate(studies.begin(), studies.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const StudyState& study) { return sum + study.done(); });
}

double RunState::rate() const { return seconds > 0 ? static_cast<double>(evaluated) / seconds : 0; }

RunState read_run_state(const std::string& journals) {
  const std::vector<std::string> paths = journal::files_in(journals);
  const auto [launch, newest] = newest_launch(paths);
  RunState state;
  state.experiment = newest.experiment;
  std::uint64_t points = 0;
  for (const auto& [id, size] : newest.plan_studies) {
    state.studies.push_back({id, {}});
    state.studies.back().counts[systems::Status::not_run] = size;
    if (size > max_points || (points += size) > max_points) throw InputError("the journals are damaged");
  }
  StateReader reader(state, points);
  for (const std::string& path : paths) {
    try {
      journal::Reader journal(path);
      if (journal.header().plan != newest.plan) continue;
      const std::uint64_t added = reader.add(journal);
      if (launch_of(path) != launch || OutputFiles::is_reused(path)) continue;
      ++state.ranks;
      state.evaluated += added;
      state.seconds = std::max(state.seconds, last_writing(path) - static_cast<double>(newest.started));
    } catch (const InputError&) {
      // As above.
    }
  }
  return state;
}

}  // namespace pimsweep::driver
