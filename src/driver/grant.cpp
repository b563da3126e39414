#include "driver/grant.h"

#include <stdexcept>

#include "base/bytes.h"
#include "driver/stop_signal.h"

namespace pimsweep {

std::string to_bytes(const std::vector<Range>& grant) {
  std::string bytes;
  for (const Range& range : grant) {
    append_number(bytes, range.begin);
    append_number(bytes, range.end);
  }
  return bytes;
}

std::vector<Range> grant_from(std::string_view bytes) {
  std::vector<Range> grant;
  ByteReader reader(bytes);
  while (!reader.at_end()) {
    const auto begin = reader.number<std::uint64_t>();
    const auto end = reader.number<std::uint64_t>();
    if (reader.failed() || end < begin) throw std::logic_error("a grant arrived damaged");
    grant.push_back({begin, end});
  }
  return grant;
}

std::string to_bytes(const Report& report) {
  std::string bytes;
  append_number(bytes, report.done);
  append_number(bytes, report.infeasible);
  append_number(bytes, report.failed);
  append_number(bytes, report.seconds);
  append_number(bytes, std::int32_t{report.signal});
  append_text(bytes, report.error);
  return bytes;
}

Report report_from(std::string_view bytes) {
  ByteReader reader(bytes);
  Report report;
  report.done = reader.number<std::uint64_t>();
  report.infeasible = reader.number<std::uint64_t>();
  report.failed = reader.number<std::uint64_t>();
  report.seconds = reader.number<double>();
  report.signal = reader.number<std::int32_t>();
  report.error = reader.text();
  if (reader.failed()) throw std::logic_error("a report arrived damaged");
  return report;
}

Report evaluate_grant(const std::vector<Range>& grant, std::chrono::milliseconds budget, Evaluator& evaluator,
                      JournalWriter& journal) {
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::steady_clock::now() - start; };
  Report report;
  JournalEntry entry;
  const auto stop = [&] { return StopSignal::received() != 0 || (report.done > 0 && elapsed() >= budget); };
  try {
    for (const Range& range : grant) {
      for (std::uint64_t index = range.begin; index < range.end && !stop(); ++index) {
        evaluator.evaluate(index, entry);
        journal.append(entry.identity, entry.seconds, entry.record);
        ++report.done;
        if (entry.record.status == Status::infeasible) ++report.infeasible;
        if (entry.record.status == Status::failed) ++report.failed;
      }
      if (stop()) break;
    }
    journal.flush();
  } catch (const std::exception& error) {
    // Only the journal throws here: what goes wrong in a point becomes its record.
    report = {};
    report.error = error.what();
  }
  report.signal = StopSignal::received();
  report.seconds = std::chrono::duration<double>(elapsed()).count();
  return report;
}

}  // namespace pimsweep
