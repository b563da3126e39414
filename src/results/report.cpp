#include "results/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/csv.h"
#include "results/answer.h"
#include "results/study_frames.h"

namespace pimsweep::results {

namespace {

/// The same from the studies of readings, where those have the rows and give another value.
void find_in_readings(const Query& query, const std::vector<Reading>& readings, StudyFrames& frames,
                      std::vector<Finding>& findings) {
  if (query.role == CheckRole::calibrated || query.role == CheckRole::definition || !query.inconsistent.empty()) return;
  const Finding usual = findings.back();
  for (const Reading& reading : readings) {
    const auto study = reading.studies.find(query.study);
    if (study == reading.studies.end()) continue;
    Query read = query;
    read.study = study->second;
    read.role = CheckRole::reading;
    read.reading = reading.name;
    Finding finding = recompute(usual.published, read, frames.usual(read));
    if (finding.verdict != Verdict::open && finding.reproduced != usual.reproduced)
      findings.push_back(std::move(finding));
  }
}

void find_all(const PublishedSet& set, StudyFrames& frames, std::vector<Finding>& findings) {
  for (const PublishedValue& value : set.values) {
    const auto found = set.queries.find(value.id);
    const Query query = found == set.queries.end() ? Query{} : found->second;
    findings.push_back(recompute(value, query, frames.usual(query)));
    if (found != set.queries.end()) find_in_readings(found->second, set.readings, frames, findings);
  }
}

}  // namespace

std::vector<Finding> make_report(const std::vector<std::string>& results_files,
                                 const std::vector<PublishedSet>& published) {
  StudyFrames frames(results_files, published);
  std::vector<Finding> findings;
  for (const PublishedSet& set : published) {
    const bool covered = std::any_of(set.queries.begin(), set.queries.end(), [&](const auto& entry) {
      return !entry.second.study.empty() && frames.has(entry.second);
    });
    if (!covered) continue;
    find_all(set, frames, findings);
  }
  return findings;
}

std::string report_csv(const std::vector<Finding>& findings) {
  const auto share = [](const std::optional<double>& deviation) {
    return deviation ? fmt::format("{:.4f}", *deviation) : std::string();
  };
  std::string text = csv_line({"id", "paper", "where", "sign", "published", "published_hi", "unit", "reproduced",
                               "deviation", "ratio_deviation", "verdict", "role", "reading", "note"});
  for (const Finding& finding : findings) {
    const PublishedValue& published = finding.published;
    text += csv_line({published.id, published.paper, published.where, std::string(sign_of(published.kind)),
                      published.value, published.value_hi, published.unit, finding.reproduced, share(finding.deviation),
                      share(finding.ratio_deviation), std::string(name_of(finding.verdict)), finding.role,
                      finding.reading, finding.note});
  }
  return text;
}

}  // namespace pimsweep::results
