#include "driver/grant.h"

#include <algorithm>
#include <stdexcept>

#include "base/bytes.h"
#include "base/threads.h"
#include "driver/cores.h"
#include "driver/isolated.h"
#include "driver/stop_signal.h"

namespace pimsweep::driver {

namespace {

double seconds_of(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

namespace {

/// Threads that meet several times in a millisecond are slower than one where they wait for cores.
unsigned threads_now(unsigned threads) {
  return threads == 1 ? 1 : std::min(threads, 1 + static_cast<unsigned>(idle_cores(available_cores())));
}

/// Calls `use(study, index)` for each point of a search.
template <typename Use>
void for_each_search_point(const sweep::Plan& plan, const Grant& grant, const Use& use) {
  for (const Range& range : grant.ranges) {
    for (std::uint64_t point = range.begin; point < range.end; ++point) {
      const sweep::Plan::Location location = plan.locate(point);
      const sweep::Study& study = plan.studies[location.study];
      if (study.search() != nullptr) use(study, location.index);
    }
  }
}

}  // namespace

std::vector<std::uint64_t> chosen_points(const sweep::Plan& plan, const Grant& grant) {
  std::vector<std::uint64_t> chosen;
  if (!plan.has_search()) return chosen;
  for_each_search_point(plan, grant,
                        [&](const sweep::Study& study, std::uint64_t index) { chosen.push_back(study.chosen(index)); });
  return chosen;
}

void choose_points(const sweep::Plan& plan, const Lease& lease) {
  auto next = lease.chosen.begin();
  if (lease.chosen.empty()) return;
  for_each_search_point(plan, lease.grant, [&](const sweep::Study& study, std::uint64_t index) {
    if (next == lease.chosen.end()) throw std::logic_error("received a malformed grant");
    study.choose(index, *next++);
  });
}

std::string to_bytes(const Lease& lease) {
  std::string bytes;
  append_number(bytes, static_cast<std::uint8_t>(lease.grant.isolated));
  append_number(bytes, lease.point_limit_seconds);
  append_number(bytes, lease.budget_seconds);
  append_number(bytes, std::uint32_t{lease.threads});
  append_number(bytes, std::uint64_t{lease.chosen.size()});
  for (const std::uint64_t product_index : lease.chosen) append_number(bytes, product_index);
  for (const Range& range : lease.grant.ranges) {
    append_number(bytes, range.begin);
    append_number(bytes, range.end);
  }
  return bytes;
}

Lease lease_from(std::string_view bytes) {
  Lease lease;
  ByteReader reader(bytes);
  lease.grant.isolated = reader.number<std::uint8_t>() != 0;
  lease.point_limit_seconds = reader.number<double>();
  lease.budget_seconds = reader.number<double>();
  lease.threads = reader.number<std::uint32_t>();
  const auto chosen = reader.number<std::uint64_t>();
  for (std::uint64_t i = 0; i < chosen && !reader.failed(); ++i) lease.chosen.push_back(reader.number<std::uint64_t>());
  while (!reader.at_end()) {
    const auto begin = reader.number<std::uint64_t>();
    const auto end = reader.number<std::uint64_t>();
    if (end < begin) throw std::logic_error("received a malformed grant");
    lease.grant.ranges.push_back({begin, end});
  }
  if (reader.failed()) throw std::logic_error("received a malformed grant");
  return lease;
}

std::string to_bytes(const Report& report) {
  std::string bytes;
  append_number(bytes, report.done);
  append_number(bytes, report.failed);
  append_number(bytes, report.crashed);
  append_number(bytes, report.seconds);
  append_number(bytes, report.bytes);
  append_number(bytes, report.longest_point);
  append_number(bytes, report.longest_seconds);
  append_number(bytes, std::int32_t{report.signal});
  append_text(bytes, report.error);
  append_text(bytes, report.observations);
  return bytes;
}

Report report_from(std::string_view bytes) {
  ByteReader reader(bytes);
  Report report;
  report.done = reader.number<std::uint64_t>();
  report.failed = reader.number<std::uint64_t>();
  report.crashed = reader.number<std::uint64_t>();
  report.seconds = reader.number<double>();
  report.bytes = reader.number<std::uint64_t>();
  report.longest_point = reader.number<std::uint64_t>();
  report.longest_seconds = reader.number<double>();
  report.signal = reader.number<std::int32_t>();
  report.error = reader.text();
  report.observations = reader.text();
  if (reader.failed()) throw std::logic_error("received a malformed report");
  return report;
}

bool GrantRunner::evaluate(std::uint64_t point, const Lease& lease) {
  if (lease.grant.isolated) {
    return evaluate_isolated(
        evaluator_, fault_, point, lease.point_limit_seconds, [] { return StopSignal::received() != 0; }, entry_);
  }
  fault_.before(point);
  evaluator_.evaluate(point, entry_);
  return true;
}

Report GrantRunner::run(const Lease& lease) {
  const PointThreads allowed(threads_now(lease.threads));
  const auto start = Clock::now();
  auto now = start;
  const std::uint64_t before = journal_.written();
  Report report;
  bool stopped = StopSignal::received() != 0;
  try {
    for (const Range& range : lease.grant.ranges) {
      for (std::uint64_t point = range.begin; point < range.end && !stopped; ++point) {
        const auto began = now;
        current_.enter(point, began);
        const bool evaluated = evaluate(point, lease);
        current_.leave();
        if (!evaluated) {
          stopped = true;
          break;
        }
        const auto ended = Clock::now();
        entry_.seconds = seconds_of(ended - began);
        journal_.append(entry_, ended);
        now = Clock::now();
        evaluator_.observe(entry_, report.observations);
        ++report.done;
        if (entry_.record.status == systems::Status::failed) ++report.failed;
        if (entry_.record.status == systems::Status::crashed) ++report.crashed;
        if (entry_.seconds > report.longest_seconds) {
          report.longest_seconds = entry_.seconds;
          report.longest_point = point;
        }
        stopped = StopSignal::received() != 0 || seconds_of(now - start) >= lease.budget_seconds;
      }
      if (stopped) break;
    }
    journal_.flush();
  } catch (const std::exception& error) {
    // Only the journal, or a child process that cannot be started, throws here: errors inside a point go to its record.
    current_.leave();
    report = {};
    report.error = error.what();
  }
  report.signal = StopSignal::received();
  report.bytes = journal_.written() - before;
  report.seconds = seconds_of(Clock::now() - start);
  return report;
}

}  // namespace pimsweep::driver
