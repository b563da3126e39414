#include "driver/reuse.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "journal/reader.h"
#include "systems/record_check.h"

namespace pimsweep::driver {

namespace {

/// A missing point with half of its identity as a key; a match is verified with the whole identity.
struct MissingPoint {
  std::uint64_t key;
  std::uint64_t point;
};

bool before(const MissingPoint& a, const MissingPoint& b) { return a.key != b.key ? a.key < b.key : a.point < b.point; }

}  // namespace

ResultSource results_of_journal(const std::string& path) {
  return [path](const std::function<void(const journal::Entry&)>& use) {
    journal::Reader reader(path);
    journal::Reader::Frame frame;
    journal::Entry entry;
    while (reader.next(frame)) {
      if (frame.kind != journal::FrameKind::results) continue;
      journal::EntryReader entries(frame.payload);
      while (entries.next(entry)) use(entry);
    }
  };
}

std::vector<std::string> readable_journals(const std::vector<std::string>& paths) {
  std::vector<std::string> readable;
  for (const std::string& path : paths) {
    try {
      const journal::Reader reader(path);
      readable.push_back(path);
    } catch (const InputError&) {
      // Whoever lists all journals warns of it.
    }
  }
  return readable;
}

void find_reusable(const std::vector<ResultSource>& sources, Evaluator& evaluator, PointSet& done,
                   const std::function<bool(systems::Status)>& settled,
                   const std::function<void(const journal::Entry&)>& take) {
  if (sources.empty()) return;
  constexpr std::size_t max_missing = 3'000'000;
  std::vector<MissingPoint> missing;
  journal::Entry found;
  std::uint64_t next = 0;
  while (true) {
    missing.clear();
    for (next = done.next_absent(next); next < done.size() && missing.size() < max_missing;
         next = done.next_absent(next + 1)) {
      missing.push_back({evaluator.identity(next).low, next});
    }
    if (missing.empty()) return;
    std::sort(missing.begin(), missing.end(), before);
    for (const ResultSource& source : sources) {
      source([&](const journal::Entry& entry) {
        if (!settled(entry.record.status)) return;
        auto match = std::lower_bound(missing.begin(), missing.end(), MissingPoint{entry.identity.low, 0}, before);
        for (; match != missing.end() && match->key == entry.identity.low; ++match) {
          if (done.contains(match->point) || evaluator.identity(match->point) != entry.identity ||
              !systems::record_fault(evaluator.schema_at(match->point), entry.record).empty()) {
            continue;
          }
          found = entry;
          found.index = match->point;
          take(found);
          done.insert(match->point);
        }
      });
    }
  }
}

}  // namespace pimsweep::driver
