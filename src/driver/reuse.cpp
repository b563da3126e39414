#include "driver/reuse.h"

#include <algorithm>
#include <utility>

#include "results/journal_reader.h"

namespace pimsweep::driver {

namespace {

/// A missing point under half of its identity; the whole is compared when one is found.
struct Wanted {
  std::uint64_t key;
  std::uint64_t point;
};

bool before(const Wanted& a, const Wanted& b) { return a.key != b.key ? a.key < b.key : a.point < b.point; }

}  // namespace

ResultSource results_of_journal(const std::string& path) {
  return [path](const std::function<void(const results::JournalEntry&)>& use) {
    results::JournalReader reader(path);
    results::JournalReader::Frame frame;
    results::JournalEntry entry;
    while (reader.next(frame)) {
      if (frame.kind != results::journal_format::Kind::results) continue;
      results::EntryReader entries(frame.payload);
      while (entries.next(entry)) use(entry);
    }
  };
}

void find_reusable(const std::vector<ResultSource>& sources, Evaluator& evaluator, PointSet& done,
                   const std::function<bool(systems::Status)>& settled,
                   const std::function<void(const results::JournalEntry&)>& take) {
  if (sources.empty()) return;
  constexpr std::size_t wanted_at_once = 3'000'000;
  std::vector<Wanted> wanted;
  results::JournalEntry found;
  std::uint64_t next = 0;
  while (true) {
    wanted.clear();
    for (next = done.next_absent(next); next < done.size() && wanted.size() < wanted_at_once;
         next = done.next_absent(next + 1)) {
      wanted.push_back({evaluator.identity(next).low, next});
    }
    if (wanted.empty()) return;
    std::sort(wanted.begin(), wanted.end(), before);
    for (const ResultSource& source : sources) {
      source([&](const results::JournalEntry& entry) {
        if (!settled(entry.record.status)) return;
        auto match = std::lower_bound(wanted.begin(), wanted.end(), Wanted{entry.identity.low, 0}, before);
        for (; match != wanted.end() && match->key == entry.identity.low; ++match) {
          if (done.contains(match->point) || evaluator.identity(match->point) != entry.identity ||
              !shape_problem(evaluator.schema_at(match->point), entry.record).empty()) {
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
